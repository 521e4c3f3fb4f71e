"""Whether a shell may want more of a command line, by the line alone."""

import pytest

from tmuxprim._readiness.continuation import may_go_on

OPEN = r"""
echo 'a
echo "a
echo `ls
echo it's
echo "$(echo 'a")
echo a \
echo $(
echo $(ls
echo ${x
echo $((1 +
(
(cd x && ls
x=(1 2
cat << END
cat <<-END; ls
true &&
true ||
true |
true |&
{
{ echo }
f() {
f() { echo hi }
f() { if true; then echo; }
f()
function f
function f {
coproc {
if true; then
if a; then b; else
(if true
while true
until true; do
for i in 1 2
for ((i = 0; i < 3; i++))
for i in 1; do echo done
for f in *; do echo $(date) done
for i in 1; do echo `date`; done; if
for i in 1; do if x; then y; done
select x in a b
repeat 3
foreach x (1 2)
case a in
case a in x) echo;;
[[ a ||
[[ a
if (1) then
true; if true; then # fi
echo # it is a comment, or an argument
!!
!x
echo !$
"""
WHOLE = r"""
true
echo hi
ls -la | wc -l
PS1='ready'
PS1="(venv) $PS1"
PS1=$'\n> '
export PS1='\u@\h:\w\$ '
. venv/bin/activate
source <(kubectl completion bash)
exec zsh -f
cd "$(git rev-parse --show-toplevel)"
[ -f ~/.x ] && . ~/.x
[[ -f x ]] && . x
if [ -f x ]; then . x; fi
for i in 1 2; do echo $i; done
while read x; do echo $x; done
if a; then for i in 1; do x; done; fi
read -e -p '> ' x
select x in a b; do echo $x; done
find . -exec ls {} \;
echo a{b,c}d ${x} $((1 + 2))
f() { read -e -p 'n? ' x; }; f
(sleep 1; echo x) &
x=$(date); echo $x
cat <<< hi
printf 'n? '; read x
git commit -m 'if it is done'
! true
[ a != b ]
kill %1; wait $!
echo a\ b
"""


@pytest.mark.parametrize("line", OPEN.strip("\n").split("\n"))
def test_open(line: str) -> None:
    """A quote, a bracket, a block or a here-document is open, or might be."""
    assert may_go_on(line)


@pytest.mark.parametrize("line", ["", *WHOLE.strip("\n").split("\n")])
def test_whole(line: str) -> None:
    """Nothing that could be open is in it, or all of that has its end."""
    assert not may_go_on(line)
