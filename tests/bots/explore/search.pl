# Searches through the arena's own rules, written from protocol.md, without a JSON library:
# search.pl minimax DEPTH | search.pl alpha-beta DEPTH | search.pl mcts ROUNDS
use strict;
use warnings;

$| = 1;
my ($kind, $limit) = @ARGV;
my $WIN = 10_000_000;
my @friends;

sub number { my ($line, $key) = @_; return $line =~ /"$key":(-?[0-9.]+)/ ? $1 : undef }
sub moves { my ($line) = @_; return $line =~ /"legal":\["([^]]*)"\]/ ? split(/","/, $1) : () }
sub is_over { return $_[0] =~ /"over":/ }
sub is_friend { my ($seat) = @_; return scalar grep { $_ == $seat } @friends }

sub explore {
    my ($fields) = @_;
    print qq({"type":"explore"$fields}\n);
    my $node = <STDIN>;
    exit 0 unless defined $node;
    die $node if $node =~ /"problem":|"type":"error"/;
    return $node;
}

# The value of a node, and the move that has it.
sub best {
    my ($node, $at, $mine, $depth, $alpha, $beta) = @_;
    my ($value, $move);
    for my $mv (moves($node)) {
        my $facts = $depth > 1 ? '' : ',"legal":false,"evaluate":true';
        my $child = explore(qq(,"at":$at,"play":"$mv"$facts));
        my $found =
              is_over($child) ? number($child, 'value') * ($WIN + $depth - 1)
            : $depth == 1     ? number($child, 'evaluation')
            :   (best($child, $at + 1, is_friend(number($child, 'turn')), $depth - 1, $alpha, $beta))[0];
        ($value, $move) = ($found, $mv) if !defined $value || ($mine ? $found > $value : $found < $value);
        if ($mine) { $alpha = $found if $found > $alpha }
        else { $beta = $found if $found < $beta }
        last if $kind eq 'alpha-beta' && $alpha >= $beta;
    }
    return ($value, $move);
}

# One tree for all imagined positions. A node is named by the moves that lead to it.
sub mcts {
    my ($turn) = @_;
    my %tree;
    for (1 .. $limit) {
        my $node = explore(',"imagine":' . int(rand(1 << 48)));
        my ($name, @way) = ('');
        my $is_known = 1;
        while (!is_over($node)) {
            my @legal = moves($node);
            my ($seat, $move) = (number($node, 'turn'), $legal[rand @legal]);
            if ($is_known) {
                my $edges = $tree{$name} //= {};
                my @new = grep { !$edges->{$_} } @legal;
                $_->{offered}++ for grep { defined } @$edges{@legal};
                if (@new) {
                    $move = $new[rand @new];
                    $edges->{$move} = { visits => 0, offered => 1, won => {} };
                    $is_known = 0;
                } else {
                    my %hope;
                    for my $mv (@legal) {
                        my $edge = $edges->{$mv};
                        $hope{$mv} = ($edge->{won}{$seat} + 0.7 * sqrt($edge->{visits} * log($edge->{offered}))) / $edge->{visits};
                    }
                    ($move) = sort { $hope{$b} <=> $hope{$a} } @legal;
                }
                push @way, $edges->{$move};
                $name .= "|$move";
            }
            $node = explore(qq(,"play":"$move"));
        }
        my @places = $node =~ /"places":\[([0-9,]*)\]/ ? split(/,/, $1) : ();
        for my $edge (@way) {
            $edge->{visits}++;
            for my $seat (0 .. $#places) {
                $edge->{won}{$seat} += grep { $_ > $places[$seat] } @places;
                $edge->{won}{$seat} += 0.5 * (@places - 1) if !grep { $_ != $places[$seat] } @places;
            }
        }
    }
    my $edges = $tree{''};
    my ($move) = sort { ($edges->{$b}{visits} // 0) <=> ($edges->{$a}{visits} // 0) } moves($turn);
    return $move;
}

while (my $line = <STDIN>) {
    if ($line =~ /^\{"type":"start"/) {
        my $seat = number($line, 'seat');
        srand(number($line, 'bot_seed'));
        @friends = ($seat);
        if ($line =~ /"teams":\[(\[.*?\])\]/) {
            for my $team (split /\],\[/, $1) {
                my @seats = $team =~ /\d+/g;
                @friends = @seats if grep { $_ == $seat } @seats;
            }
        }
    } elsif ($line =~ /^\{"type":"turn"/) {
        my $move = $kind eq 'mcts' ? mcts($line) : (best($line, 0, 1, $limit, -2 * $WIN, 2 * $WIN))[1];
        printf qq({"id":%d,"move":"%s"}\n), number($line, 'id'), $move;
    } elsif ($line =~ /^\{"type":"quit"/) {
        exit 0;
    }
}
