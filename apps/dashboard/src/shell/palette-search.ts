import type { TablerIcon } from '@tabler/icons-react';

/** One line of the palette. */
export type Choice = { id: string; label: string; description?: string; icon: TablerIcon; choose: () => void };

export type ChoiceGroup = { heading: string; choices: readonly Choice[] };

/** Enough to find one's own among the best; more letters find the others. */
const maxOfGroup = 6;

type Ranked = { choice: Choice; rank: number };

/** What matches, best first. Equally good groups keep their order, and equally good choices do too. */
export function hitsOf(groups: readonly ChoiceGroup[], typed: string): ChoiceGroup[] {
  const sought = typed.trim().toLowerCase();
  if (sought === '') return groups.filter(({ choices }) => choices.length > 0);
  return groups
    .map(({ heading, choices }) => ({ heading, hits: bestOf(choices, sought) }))
    .filter(({ hits }) => hits.length > 0)
    .toSorted((one, other) => best(one.hits) - best(other.hits))
    .map(({ heading, hits }) => ({ heading, choices: hits.map(({ choice }) => choice) }));
}

const best = (hits: readonly Ranked[]): number => hits[0]?.rank ?? 0;

function bestOf(choices: readonly Choice[], sought: string): Ranked[] {
  const words = sought.split(/\s+/);
  return choices
    .flatMap((choice) => {
      const rank = rankOf(choice, sought, words);
      return rank === null ? [] : [{ choice, rank }];
    })
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, maxOfGroup);
}

/** From 0, the same name, to 4, all words somewhere. Null if it does not match. */
function rankOf({ label, description = '' }: Choice, sought: string, words: readonly string[]): number | null {
  const name = label.toLowerCase();
  if (name === sought) return 0;
  if (name.startsWith(sought)) return 1;
  if (name.includes(sought)) return name.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(sought)) ? 2 : 3;
  const all = `${name} ${description.toLowerCase()}`;
  return words.every((word) => all.includes(word)) ? 4 : null;
}
