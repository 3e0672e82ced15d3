import { parseArgs } from 'node:util';
import { type Check, checkMachine } from './checks/index.ts';

const widths = { ok: 'ok     ', missing: 'missing', broken: 'broken ' };
const verdicts = {
  ok: 'Everything works.',
  missing: 'Bottega works on this machine, but some parts are missing.',
  broken: 'Bottega cannot start on this machine because some parts are broken.',
};
const codes = { ok: 0, missing: 1, broken: 2 };

/** `bottega doctor`: prints a line for each check and changes nothing. The exit code reports the worst result. */
export async function doctor(environment: NodeJS.ProcessEnv, args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } });
  const parts = await checkMachine(environment);
  const worst = (['broken', 'missing'] as const).find((status) => parts.some((part) => part.status === status));
  const verdict = worst ?? 'ok';
  process.stdout.write(values.json ? `${JSON.stringify({ verdict, parts })}\n` : inWords(parts, verdicts[verdict]));
  process.exitCode = codes[verdict];
}

function inWords(parts: Check[], verdict: string): string {
  const longest = Math.max(...parts.map(({ name }) => name.length));
  const lines = parts.flatMap(({ name, status, message, remedy }) => [
    `${widths[status]}  ${name.padEnd(longest)}  ${message}`,
    ...(remedy ? [`${' '.repeat(9)}${' '.repeat(longest)}  → ${remedy}`] : []),
  ]);
  return `${[...lines, '', verdict].join('\n')}\n`;
}
