import { readBelow } from '../files/below.ts';
import { type Steps, TooManySteps } from './glob.ts';
import { decisionOf, onlyIgnoring, type Rules, rulesOf } from './ignore-rules.ts';

const fileNames = ['.gitignore', '.btgignore'];
const largest = 128 * 1024;
/** Maximum number of steps, which take about a twentieth of a second. */
const maxSteps = 2_000_000;

/** The rules of one directory, for everything below it. */
type RulesOf = { prefix: string; rules: Rules };

/** What is ignored: the rules by directory, with outer directories first. The nearest rule that matches decides. */
export type Ignoring = {
  /** The rules in the current files. */
  now: readonly RulesOf[];
  /**
   * The rules at the start of the session. Others in the session can change these files, and would otherwise get files
   * that are no longer ignored.
   */
  first: readonly RulesOf[];
};

/** What is remembered about a folder's ignore files during a session. */
export type Kept = {
  isFirstLook: boolean;
  /** The rules of `first`, by directory. */
  rules: Map<string, Rules>;
  /** Paths that were ignored when they were first seen. */
  seen: Set<string>;
};

export const nothingIgnored: Ignoring = { now: [], first: [] };
export const nothingKept = (): Kept => ({ isFirstLook: true, rules: new Map(), seen: new Set() });

/**
 * Adds the rules in a directory's ignore files. `prefix` is empty for the folder itself, and otherwise ends with a
 * slash.
 */
export async function withRulesOf(root: string, prefix: string, outer: Ignoring, kept: Kept): Promise<Ignoring> {
  const texts = await Promise.all(fileNames.map((name) => textOf(root, `${prefix}${name}`)));
  const rules = rulesOf(texts.join('\n'));
  // An ignore file that appears later cannot include anything again.
  const first = kept.rules.get(prefix) ?? (kept.isFirstLook ? rules : onlyIgnoring(rules));
  if (first.length > 0) kept.rules.set(prefix, first);
  return { now: withRules(outer.now, prefix, rules), first: withRules(outer.first, prefix, first) };
}

const withRules = (outer: readonly RulesOf[], prefix: string, rules: Rules): readonly RulesOf[] =>
  rules.length === 0 ? outer : [...outer, { prefix, rules }];

/** Reads an ignore file. One that cannot be read, is a symbolic link or is too large could contain anything. */
const textOf = (root: string, path: string): Promise<string> =>
  readBelow({ root, path }, largest).then(
    (bytes) => bytes?.toString() ?? '',
    () => '*',
  );

export const enoughSteps = (): Steps => ({ left: maxSteps });

/**
 * `relative` contains slashes, and ends with one for a directory. If matching takes too long, the path counts as
 * ignored.
 */
export function isIgnored(ignoring: Ignoring[keyof Ignoring], relative: string, steps = enoughSteps()): boolean {
  try {
    for (const { prefix, rules } of ignoring.toReversed()) {
      const decision = decisionOf(rules, relative.slice(prefix.length), steps);
      if (decision) return decision === 'ignored';
    }
    return false;
  } catch (error) {
    if (error instanceof TooManySteps) return true;
    throw error;
  }
}
