import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../docs/decisions');
const index = readFileSync(join(folder, 'README.md'), 'utf8');
const records = readdirSync(folder)
  .filter((name) => name !== 'README.md')
  .sort();

test('decision records are numbered without a gap, and each has a title, a date and a state', () => {
  for (const [position, name] of records.entries()) {
    expect(name).toMatch(new RegExp(`^${String(position + 1).padStart(4, '0')}-[a-z0-9-]+\\.md$`));
    const text = readFileSync(join(folder, name), 'utf8');
    expect(text, name).toMatch(/^# .+\n\n\d{4}-\d\d-\d\d · (?:holds|dropped|replaced by \d{4})\n\n\S/);
  }
});

test('the index of decision records has their titles, dates and states', () => {
  const rows = records.map((name) => {
    const [title = '', , line = ''] = readFileSync(join(folder, name), 'utf8').split('\n');
    return `| [${name.slice(0, 4)}](${name}) | ${title.slice(2)} | ${line.replace(' · ', ' | ')} |`;
  });
  expect(index.split('\n').filter((line) => line.startsWith('| ['))).toEqual(rows);
});
