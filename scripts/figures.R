# Reads a run's tables with plain R and draws two figures: an example for analyses of your own.
# Usage: Rscript scripts/figures.R FOLDER OUT.pdf
given <- commandArgs(trailingOnly = TRUE)
if (length(given) != 2) stop("usage: Rscript scripts/figures.R FOLDER OUT.pdf")
read <- function(name) read.csv(file.path(given[1], name))
variants <- read("variants.csv")
strategies <- read("strategies.csv")

intervals <- function(names, value, low, high, label, reference = NA) {
  y <- rev(seq_along(names))
  plot(value, y, xlim = range(low, high, reference, na.rm = TRUE), yaxt = "n", ylab = "",
       xlab = label, pch = 19)
  segments(low, y, high, y)
  axis(2, at = y, labels = names, las = 1)
  abline(v = reference, lty = 2)
}

pdf(given[2], width = 8, height = 5)
par(mar = c(4, 12, 1, 1))
with(variants, intervals(variant, first_seat_score, first_seat_score_low, first_seat_score_high,
                         "first seat's score, 95 % intervals", 0.5))
# One strategy has nobody to be rated against.
if (nrow(strategies) > 0) {
  with(strategies, intervals(paste(variant, strategy), rating, rating_low, rating_high,
                             "rating (Elo), 95 % intervals"))
}
invisible(dev.off())

# A seat's edge against the length of a hand.
print(round(cor(variants$first_seat_score, variants$turns), 3))
