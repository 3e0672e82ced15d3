import { expect, test } from 'vitest';

/** What markdown.tsx shows when it is needed. */
const within = /markdown-(document|elements)\.tsx$/;

const sources: Record<string, string> = import.meta.glob('../**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const page: Record<string, string> = import.meta.glob('./*.tsx', { query: '?raw', import: 'default', eager: true });

test('the design page shows every component of the kit', () => {
  const kit = Object.keys(import.meta.glob('../kit/*.tsx')).filter((path) => !within.test(path));
  expect(kit.length).toBeGreaterThan(30);
  const isShown = (path: string) =>
    Object.values(page).some((text) => text.includes(`'${path.replace('../kit/', '')}': `));
  expect(kit.filter((path) => !isShown(path))).toEqual([]);
});

test('no screen imports the design page, so the build does not contain it', () => {
  expect(Object.keys(sources).length).toBeGreaterThan(500);
  const importers = Object.entries(sources).filter(([, text]) => /from '\.\.?\/([\w-]+\/)*design\//.test(text));
  expect(importers.map(([path]) => path)).toEqual([]);
});
