-- Questions to the tables of a run, for DuckDB; an example for your own.
--
-- In the folder of a run: `duckdb < path/to/scripts/queries.sql`; without that command,
-- `scripts/queries.py FOLDER` runs them through the Python package.

-- Who leads under each variant, and by how much over the next? (A table without rows has no types of
-- its own, hence the casts.)
WITH ranked AS (
    SELECT variant, strategy, rating::DOUBLE AS rating,
           rating::DOUBLE - lead(rating::DOUBLE) OVER (PARTITION BY variant ORDER BY rank) AS ahead_of_next
    FROM 'strategies.csv'
    QUALIFY rank() OVER (PARTITION BY variant ORDER BY rating DESC) = 1
)
SELECT variant, strategy, round(rating) AS rating, round(ahead_of_next) AS ahead FROM ranked;

-- Which rules favour a seat for sure?
SELECT variant, first_seat_score, first_seat_score_low AS low, first_seat_score_high AS high
FROM 'variants.csv'
WHERE low > 0.5 OR high < 0.5
ORDER BY first_seat_score DESC;

-- Which differences between variants leave out no change?
SELECT variant_a, variant_b, figure, difference::DOUBLE AS difference,
       difference_low::DOUBLE AS low, difference_high::DOUBLE AS high
FROM 'differences.csv'
WHERE low > 0 OR high < 0
ORDER BY abs(difference::DOUBLE) / nullif(high - low, 0) DESC
LIMIT 10;

-- Which pairings show no significant difference after Holm's correction?
SELECT variant, strategy, opponent, score, p_adjusted
FROM 'matchups.csv'
WHERE p_adjusted::DOUBLE > 0.05
ORDER BY p_adjusted;
