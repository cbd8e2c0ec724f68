#!/usr/bin/env perl
# A bot for Leopard in Perl: it knocks if that wins, and else lays the most frequent suit of its own
# square if possible.
#
#     parlour check-bot --game leopard -- perl scripts/bots/leopard_knocker.pl
use strict;
use warnings;
use JSON::PP;

$| = 1;
my ($seat, %suits) = (0);
while (my $line = <STDIN>) {
    my $message = decode_json($line);
    my $type    = $message->{type};
    if ($type eq 'hello') {
        answer({ protocol => 1, name => 'knocker.pl', games => ['leopard'] });
    }
    elsif ($type eq 'start') { $seat = $message->{seat} }
    elsif ($type eq 'choose') { answer({ index => choose($message) }) }
    elsif ($type eq 'bye') { last }
}

sub answer { print encode_json(shift), "\n" }

sub choose {
    my ($message) = @_;
    my ($view, @moves) = ($message->{view}, @{ $message->{moves} });
    my ($own, $other) = @{ $view->{values} }[ $seat, 1 - $seat ];
    my %suits = (S => 0, H => 0, D => 0, C => 0);
    $suits{$_}++ for $view->{squares}[$seat] =~ /[SHDC]/g;
    my ($best, $index) = (-1, 0);
    for my $at (0 .. $#moves) {
        my $move = $moves[$at];
        return $at if $move eq 'knock' && $own > $other + 1;
        # Number cards and tens on the own square.
        my $worth = $move =~ /^[A2-9T](.) o/ ? 1 + $suits{$1} : $move =~ /-$/ ? 0.5 : 0;
        ($best, $index) = ($worth, $at) if $worth > $best && $move ne 'knock';
    }
    return $index;
}
