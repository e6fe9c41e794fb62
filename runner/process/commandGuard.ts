import { Guard } from './guard.ts';

/**
 * Kills, where the input ends without the word `done`, the group that was told last (0 is none), and then everything whose
 * environment holds the mark, until nothing does: what is killed may just have made a child.
 */
const script = `
group=0
while read -r word; do
  [ "$word" = done ] && exit 0
  group=$word
done
[ "$group" -gt 1 ] && kill -KILL "-$group"
found=yes
while [ "$found" = yes ]; do
  found=no
  for environment in /proc/[0-9]*/environ; do
    process=\${environment#/proc/}
    process=\${process%/environ}
    if grep -qF "$1" "$environment"; then
      kill -KILL "$process" && found=yes
    fi
  done
done
`;

/** Watches over what a command started. Is told its group while that lives, and 0 as soon as it has ended. */
export function commandGuard(mark: string): Guard {
  return new Guard('/bin/sh', ['-c', script, 'seaworthy-guard', mark]);
}
