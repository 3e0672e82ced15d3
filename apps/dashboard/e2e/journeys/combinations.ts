import { isNightly } from '../../../server/src/testing/runner/thoroughness.ts';
import type { Written } from '../../src/words/dictionary.ts';

export type Combination = {
  hand: 'mouse' | 'keyboard';
  width: 1440 | 390;
  theme: 'light' | 'dark';
  language: Written;
};

/** Five of the sixteen: every pair of values from different columns occurs in one of them. */
const combinations: Combination[] = [
  { hand: 'mouse', width: 1440, theme: 'light', language: 'en' },
  { hand: 'mouse', width: 390, theme: 'dark', language: 'de' },
  { hand: 'keyboard', width: 1440, theme: 'dark', language: 'de' },
  { hand: 'keyboard', width: 390, theme: 'light', language: 'de' },
  { hand: 'keyboard', width: 390, theme: 'dark', language: 'en' },
];

/**
 * At night, all. For every change the journeys take turns. The workbench is tested at both widths, and workspaces with
 * both hands, because a terminal keeps the keys.
 */
export function combinationsFor(name: string, turn: number): Combination[] {
  if (isNightly) return combinations;
  if (name === 'running') return combinations.filter(({ width }) => width === 1440);
  return name === 'workbench' ? combinations.slice(0, 2) : combinations.slice(turn % 5, (turn % 5) + 1);
}
