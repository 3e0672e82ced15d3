import type { Variable } from '@bottega/sdk';
import { shellQuoted } from '../terminal/shell.ts';
import { printable } from '../terminal/text.ts';

/** Variables as a file that a shell can source (`. ./.env`), without executing anything in it. */
export const asEnvFile = (variables: readonly Variable[]): string => `${variables.map(asLine).join('\n')}\n`;

function asLine({ name, value }: Variable): string {
  if (!/^[A-Za-z_]\w*$/.test(name)) return `# omitted, not a valid variable name: ${printable(name)}`;
  return value === null ? `# ${name}= (secret)` : `${name}=${quotedValue(value)}`;
}

/**
 * Quoted for shells and, if one form fits both, also for Node and other readers of such files. Those allow no quote
 * within single quotes, and read backslashes within double quotes differently.
 */
function quotedValue(value: string): string {
  if (/^[\w./:@%+,-]*$/.test(value)) return value;
  return value.includes("'") && !/["$`\\]/.test(value) ? `"${value}"` : shellQuoted(value);
}
