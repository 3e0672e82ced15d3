import { createHash } from 'node:crypto';

/** Colors that are readable on white and on black. */
const colors = [
  '#d7263d',
  '#e8590c',
  '#b88700',
  '#5c940d',
  '#2b8a3e',
  '#0b8578',
  '#0c7c9c',
  '#1971c2',
  '#3b5bdb',
  '#6741d9',
  '#9c36b5',
  '#c2255c',
];

/** A user always gets the same color. */
export function colorOf(userId: string): string {
  const index = createHash('sha256').update(userId).digest().readUInt32BE() % colors.length;
  return colors[index] ?? '#1971c2';
}
