import { newPair, type Pair } from '../kit/pairs.ts';

const assignment = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/;

/**
 * Parses variables from the text of an .env file. Comments and empty lines are ignored, and one pair of quotes around a
 * value is removed.
 */
export function variablesIn(text: string): Pair[] {
  return text
    .split(/\r?\n/)
    .map((line) => assignment.exec(line.trim()))
    .filter((variable) => variable !== null)
    .map(([, name = '', value = '']) => newPair(name, value.replace(/^(["'])(.*)\1$/, '$2')));
}

export const isVariableName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name);

/** What is wrong with a row. An empty row is ignored. */
export function problemIn(variables: readonly Pair[], index: number): 'badName' | 'twice' | null {
  const own = variables[index];
  if (!own || (own.name === '' && own.value === '')) return null;
  if (!isVariableName(own.name)) return 'badName';
  return variables.findIndex(({ name }) => name === own.name) < index ? 'twice' : null;
}

export const asRecord = (variables: readonly Pair[]): Record<string, string> =>
  Object.fromEntries(variables.filter(({ name }) => name !== '').map(({ name, value }) => [name, value]));
