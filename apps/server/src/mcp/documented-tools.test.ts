import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allTools } from './tools/index.ts';

const page = new URL('../../../../docs/mcp.md', import.meta.url).pathname;
const head = '| tool | scope | what it does |\n|---|---|---|\n';

test('the table in docs/mcp.md is the list of tools (update it with vitest -u)', async () => {
  const rows = allTools.map(({ name, scope, description }) => `| \`${name}\` | \`${scope}\` | ${description} |\n`);
  const text = readFileSync(page, 'utf8');
  const [before = '', after = ''] = text.split(head);
  const rest = after.slice(after.indexOf('\n\n') + 1);
  await expect(`${before}${head}${rows.join('')}${rest}`).toMatchFileSnapshot(page);
});
