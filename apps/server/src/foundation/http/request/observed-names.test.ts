import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { call } from '../../../testing/clients/http-client.ts';
import { useTestService } from '../../../testing/service/test-service.ts';

const service = useTestService({ settings: { BOTTEGA_BACKUP_SCHEDULE: '0 0 1 1 *' } });
const read = (name: string) =>
  readFileSync(new URL(`../../../../../../docs/observability/${name}`, import.meta.url), 'utf8');

/** As Prometheus names them: a histogram has three names. */
async function metrics() {
  const { text } = await call('GET', `${service.url}/metrics`);
  const kinds = new Map(
    Array.from(text.matchAll(/^# TYPE (\w+) (\w+)$/gm), ([, name = '', kind = '']) => [name, kind]),
  );
  const parts = (name: string) => ['_bucket', '_count', '_sum'].map((part) => `${name}${part}`);
  const names = [...kinds].flatMap(([name, kind]) => (kind === 'histogram' ? parts(name) : [name]));
  return { text, kinds, names: new Set(names) };
}

test.each(['dashboard.json', 'alerts.yaml'])('every metric in %s is one that the service has', async (file) => {
  const { names } = await metrics();
  const asked = new Set(read(file).match(/\b(?:bottega|nodejs|process)_\w+/g));
  expect(asked.size).toBeGreaterThan(10);
  expect([...asked].filter((name) => !names.has(name))).toEqual([]);
});

test.each(['dashboard.json', 'alerts.yaml'])('every state in %s is one that its metric has', async (file) => {
  const { text } = await metrics();
  const asked = read(file).matchAll(/\b(bottega_\w+)\{[^}]*?\b(state="\w+")/g);
  for (const [, name = '', state = ''] of asked) {
    expect(text).toMatch(new RegExp(`^${name}\\{[^}]*${state}`, 'm'));
  }
});

test('the dashboard is JSON, and every panel that shows something has a query', () => {
  const { panels } = JSON.parse(read('dashboard.json')) as { panels: { type: string; targets?: { expr: string }[] }[] };
  const shown = panels.filter(({ type }) => type !== 'row');
  expect(shown.length).toBeGreaterThan(10);
  expect(shown.filter(({ targets = [] }) => targets.length === 0)).toEqual([]);
});

test('every alert says in words what is wrong and what to do', () => {
  const alerts = read('alerts.yaml')
    .split(/^ {6}- alert: /m)
    .slice(1);
  expect(alerts.length).toBeGreaterThan(8);
  for (const alert of alerts) {
    expect(alert).toMatch(/^ {8}expr: /m);
    expect(alert).toMatch(/severity: (critical|warning)/);
    expect(alert).toMatch(/^ {10}summary: /m);
    expect(alert).toMatch(/^ {10}description: >-\n {12}\S/m);
  }
});
