import { readFileSync } from 'node:fs';
import { eventCatalogue, eventTypes, webhookFormats } from '@bottega/contract';
import { expect, test } from 'vitest';

const page = new URL('../../../../../docs/webhooks.md', import.meta.url).pathname;
const head = '| what happened | reference | core | guide |\n|---|---|---|---|\n';

test('the table in docs/webhooks.md matches the catalogue; vitest with -u updates it', async () => {
  const rows = eventTypes.map((type) => {
    const { description, names } = eventCatalogue[type];
    const cells = webhookFormats.map((format) => (names[format] === null ? '–' : `\`${names[format]}\``));
    return `| ${[description, ...cells].join(' | ')} |\n`;
  });
  const text = readFileSync(page, 'utf8');
  const [before = '', after = ''] = text.split(head);
  const rest = after.slice(after.indexOf('\n\n') + 1);
  await expect(`${before}${head}${rows.join('')}${rest}`).toMatchFileSnapshot(page);
});
