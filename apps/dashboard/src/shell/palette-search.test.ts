import { IconFile } from '@tabler/icons-react';
import { expect, test } from 'vitest';
import { type ChoiceGroup, hitsOf } from './palette-search.ts';

const group = (heading: string, ...labels: (string | [label: string, description: string])[]): ChoiceGroup => ({
  heading,
  choices: labels.map((one) => {
    const [label, description = ''] = typeof one === 'string' ? [one] : one;
    return { id: label, label, description, icon: IconFile, choose: () => undefined };
  }),
});
const found = (groups: ChoiceGroup[], typed: string) =>
  hitsOf(groups, typed).map(({ heading, choices }) => [heading, ...choices.map(({ label }) => label)]);

test('an exact name ranks first, then a name that begins with the query, then a word, then a part of a word', () => {
  const files = group('Files', 'sub-blog.md', 'weblog.md', 'blog.md', 'blog');
  expect(found([files], 'Blog ')).toEqual([['Files', 'blog', 'blog.md', 'sub-blog.md', 'weblog.md']]);
});

test('the group with the best match is first; equally good groups keep their order', () => {
  const groups = [group('Files', 'blog-post.md'), group('Projects', 'blog'), group('Branches', 'blog-fix')];
  expect(found(groups, 'blog').map(([heading]) => heading)).toEqual(['Projects', 'Files', 'Branches']);
});

test('words match in any order, in the description too', () => {
  const files = group('Files', ['index.ts', '/src/shop/index.ts'], ['index.ts', '/src/index.ts']);
  expect(found([files], 'index shop')).toEqual([['Files', 'index.ts']]);
  expect(found([files], 'src/shop/in')).toEqual([['Files', 'index.ts']]);
});

test('a group without a match is left out, and a long group shows only its best matches', () => {
  const many = group('Files', ...Array.from({ length: 10_000 }, (_, index) => `part-${index}.ts`), 'part');
  expect(found([many, group('People', 'Ada')], 'part')).toEqual([
    ['Files', 'part', 'part-0.ts', 'part-1.ts', 'part-2.ts', 'part-3.ts', 'part-4.ts'],
  ]);
});

test('an empty query matches everything', () => {
  expect(found([group('Actions', 'Deploy', 'Invite'), group('Files')], ' ')).toEqual([['Actions', 'Deploy', 'Invite']]);
});
