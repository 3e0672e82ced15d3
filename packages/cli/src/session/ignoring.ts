import { isUnsafe, readBelow } from '../files/below.ts';
import { type Steps, TooManySteps } from './glob.ts';
import { decisionOf, onlyIgnoring, type Rules, rulesOf } from './ignore-rules.ts';

const fileNames = ['.gitignore', '.btgignore'];
const largest = 128 * 1024;
/** About a twentieth of a second. */
const mostSteps = 2_000_000;

/** Rules of one directory, for what is below it. */
type RulesOf = { prefix: string; rules: Rules };

/** What is left alone: rules of directories, the outer ones first. The nearest that says anything decides. */
export type Ignoring = {
  /** As the files are. */
  now: readonly RulesOf[];
  /** As they were found at first: others in a session can change these files, and would get what they no longer name. */
  first: readonly RulesOf[];
};

/** What is known of a folder's ignore files for as long as a session lasts. */
export type Kept = {
  isFirstLook: boolean;
  /** By directory, as `first` has them. */
  rules: Map<string, Rules>;
  /** What was ignored when it was seen here. */
  seen: Set<string>;
};

export const nothingIgnored: Ignoring = { now: [], first: [] };
export const nothingKept = (): Kept => ({ isFirstLook: true, rules: new Map(), seen: new Set() });

/** Adds what the ignore files of a directory say. `prefix` is empty for the folder itself, else ends with a slash. */
export async function withRulesOf(root: string, prefix: string, outer: Ignoring, kept: Kept): Promise<Ignoring> {
  const texts = await Promise.all(fileNames.map((name) => textOf(root, `${prefix}${name}`)));
  const rules = rulesOf(texts.join('\n'));
  // One that comes later takes nothing back.
  const first = kept.rules.get(prefix) ?? (kept.isFirstLook ? rules : onlyIgnoring(rules));
  if (first.length > 0) kept.rules.set(prefix, first);
  return { now: withRules(outer.now, prefix, rules), first: withRules(outer.first, prefix, first) };
}

const withRules = (outer: readonly RulesOf[], prefix: string, rules: Rules): readonly RulesOf[] =>
  rules.length === 0 ? outer : [...outer, { prefix, rules }];

/** One that is a link or too large may name anything. */
const textOf = (root: string, path: string): Promise<string> =>
  readBelow({ root, path }, largest).then(
    (bytes) => bytes?.toString() ?? '',
    (error) => (isUnsafe(error) ? '*' : ''),
  );

export const enoughSteps = (): Steps => ({ left: mostSteps });

/** `relative` has slashes, and one at its end where it is a directory. What takes too long to be decided is ignored. */
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
