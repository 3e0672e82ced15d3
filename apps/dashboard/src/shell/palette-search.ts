import type { TablerIcon } from '@tabler/icons-react';

/** One line of the palette. */
export type Choice = { id: string; label: string; description?: string; icon: TablerIcon; choose: () => void };

export type ChoiceGroup = { heading: string; choices: readonly Choice[] };

/** Maximum number of choices of one group. To find others, the user types more letters. */
const maxOfGroup = 6;

type Ranked = { choice: Choice; rank: number };

/**
 * The choices that match, with the best groups and choices first. Equally good groups keep their order, and so do
 * equally good choices.
 */
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

/**
 * How well a choice matches, from 0 (the name is the same) to 4 (all words occur somewhere). Null if the choice does
 * not match.
 */
function rankOf({ label, description = '' }: Choice, sought: string, words: readonly string[]): number | null {
  const name = label.toLowerCase();
  if (name === sought) return 0;
  if (name.startsWith(sought)) return 1;
  if (name.includes(sought)) return name.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(sought)) ? 2 : 3;
  const all = `${name} ${description.toLowerCase()}`;
  return words.every((word) => all.includes(word)) ? 4 : null;
}
