import { reasonSentence } from '@bottega/contract';
import { AppError } from '../../foundation/http/index.ts';

/** A check as bottega.json describes it. */
export type CheckDefinition = {
  name: string;
  /** The command. */
  run: string;
  /** Patterns of files. Without any, the check always applies. */
  paths: string[];
  /** Names of the checks that must succeed before this one. */
  needs: string[];
  /** The time limit in seconds. Null for the limit of the installation. */
  timeout: number | null;
  /** Directories that are kept for the next run. */
  cache: string[];
  /** JUnit files that the command leaves. */
  reports: string[];
};

export const maxChecks = 50;
const longestCommand = 16_384;
const maxPatterns = 50;
const maxDirectories = 20;
const longestPath = 1_024;
const maxTimeout = 86_400;
const fields = ['run', 'paths', 'needs', 'timeout', 'cache', 'reports'];

/**
 * Parses the `checks` of bottega.json, in the order of the file. Throws an error with a message for the file's author
 * if something is wrong.
 */
export function parseChecks(text: string | null): CheckDefinition[] {
  const { checks } = text === null ? {} : parse(text);
  if (checks === undefined || checks === null) return [];
  const entries = Object.entries(objectAt('checks', checks));
  if (entries.length > maxChecks) throw mistake(`checks can have at most ${maxChecks} entries`);
  const definitions = entries.map(([name, value]) => parseCheck(name, value));
  mustBeInOrder(definitions);
  return definitions;
}

export const mistake = (what: string): AppError => {
  const message = reasonSentence('project_file_mistake', { detail: what });
  return new AppError('VALIDATION_ERROR', message, { details: [{ field: 'bottega.json', message: what }] });
};

function parse(text: string): Record<string, unknown> {
  try {
    return objectAt('', JSON.parse(text));
  } catch {
    throw new AppError('VALIDATION_ERROR', reasonSentence('project_file_not_json'));
  }
}

function objectAt(place: string, value: unknown): Record<string, unknown> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw mistake(`${place} must be an object`);
  return value as Record<string, unknown>;
}

function parseCheck(name: string, value: unknown): CheckDefinition {
  if (!/^[^\p{Cc}]{1,100}$/u.test(name)) {
    throw mistake('the name of a check must have 1 to 100 characters, and no control characters');
  }
  const place = `checks.${name}`;
  const given = objectAt(place, value);
  const unknown = Object.keys(given).find((field) => !fields.includes(field));
  if (unknown !== undefined) throw mistake(`${place}.${unknown.slice(0, 100)} is not a known setting`);
  return {
    name,
    run: commandAt(`${place}.run`, given.run),
    paths: textsAt(`${place}.paths`, given.paths, maxPatterns),
    needs: textsAt(`${place}.needs`, given.needs, maxChecks),
    timeout: timeoutAt(`${place}.timeout`, given.timeout),
    cache: placesAt(`${place}.cache`, given.cache),
    reports: placesAt(`${place}.reports`, given.reports),
  };
}

function commandAt(place: string, value: unknown): string {
  if (typeof value !== 'string') throw mistake(`${place} must be a string`);
  const isCommand = value.trim() !== '' && value.length <= longestCommand && !value.includes('\0');
  if (!isCommand) throw mistake(`${place} must be a command of at most ${longestCommand} characters`);
  return value;
}

function timeoutAt(place: string, value: unknown): number | null {
  if (value === undefined || value === null) return null;
  if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > maxTimeout) {
    throw mistake(`${place} must be a whole number of seconds, from 1 to ${maxTimeout}`);
  }
  return value as number;
}

function textsAt(place: string, value: unknown, most: number): string[] {
  if (value === undefined || value === null) return [];
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string' && isLine(one));
  if (!isList) throw mistake(`${place} must be a list of strings`);
  if (value.length > most) throw mistake(`${place} can have at most ${most} entries`);
  return [...new Set(value as string[])];
}

const isLine = (text: string): boolean => text !== '' && text.length <= longestPath && !/\p{Cc}/u.test(text);

/** Parses a list of paths. Throws if one of them is not below the root of the project. */
function placesAt(place: string, value: unknown): string[] {
  return textsAt(place, value, maxDirectories).map((path) => {
    const names = path.split('/').filter((name, index) => name !== '' && !(name === '.' && index === 0));
    const isBelow = names.length > 0 && !names.some((name) => name === '.' || name === '..');
    if (!isBelow || path.startsWith('/')) throw mistake(`${place} must name paths below the root of the project`);
    return names.join('/');
  });
}

/** Throws if a needed check does not exist, or if a check needs itself, directly or through others. */
function mustBeInOrder(definitions: readonly CheckDefinition[]): void {
  const names = new Set(definitions.map(({ name }) => name));
  for (const { name, needs } of definitions) {
    const missing = needs.find((need) => !names.has(need));
    if (missing !== undefined) throw mistake(`checks.${name}.needs names ${missing}, which is not a check`);
  }
  const inCircle = definitions.length - inOrder(definitions).length;
  if (inCircle > 0) {
    const ordered = new Set(inOrder(definitions));
    const [first] = definitions.filter((one) => !ordered.has(one));
    throw mistake(`checks.${first?.name}.needs leads back to ${first?.name}`);
  }
}

/**
 * Sorts checks so that each one comes after those that it needs. Needs outside the list are ignored. Checks in a
 * circle, and all that need them, are left out.
 */
export function inOrder(definitions: readonly CheckDefinition[]): CheckDefinition[] {
  const names = new Set(definitions.map(({ name }) => name));
  const done = new Set<string>();
  const ordered: CheckDefinition[] = [];
  for (let before = -1; before < ordered.length; ) {
    before = ordered.length;
    for (const one of definitions) {
      if (done.has(one.name) || one.needs.some((need) => names.has(need) && !done.has(need))) continue;
      ordered.push(one);
      done.add(one.name);
    }
  }
  return ordered;
}
