import type { MergeRequest, ReviewThread } from '@bottega/contract';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { type Clone, useGitClient } from '../repository/smart-http/git-client.fixture.ts';
import { fuzzRuns, fuzzSeed } from '../testing/runner/thoroughness.ts';
import { newPlace, type Place } from '../testing/samples/sample-files.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { ask } from './merge-requests.fixture.ts';

const numRuns = fuzzRuns(200, 3);
const service = useTestService();
const client = useGitClient(service);
let place: Place;
let clone: Clone;
beforeAll(async () => {
  const owned = await newPlace(service);
  place = owned;
  clone = await client.clone(owned.projectId, owned.user);
  await clone.commit('Base', { 'base.txt': 'base\n' });
  await clone.git('push', '--quiet', 'origin', 'HEAD:main');
});

type Edit = { kind: 'insert' | 'remove' | 'change' | 'move'; at: number; to: number };
type Step = { edits: Edit[]; how: 'push' | 'amend' | 'rebase' };

const at = fc.nat({ max: 30 });
const edit: fc.Arbitrary<Edit> = fc.record({ kind: fc.constantFrom('insert', 'remove', 'change', 'move'), at, to: at });
const step: fc.Arbitrary<Step> = fc.record({
  edits: fc.array(edit, { minLength: 1, maxLength: 4 }),
  how: fc.constantFrom('push', 'amend', 'rebase'),
});

let made = 0;
const newLine = () => `line ${++made}`;

function edited(lines: readonly string[], { kind, at: wanted, to }: Edit): string[] {
  const place = lines.length === 0 ? 0 : wanted % lines.length;
  if (kind === 'insert') return lines.toSpliced(place, 0, newLine());
  if (kind === 'change') return lines.toSpliced(place, 1, newLine());
  const without = lines.toSpliced(place, 1);
  const line = lines[place];
  return kind === 'remove' || line === undefined ? without : without.toSpliced(to % (without.length + 1), 0, line);
}

/** Commits the text in the way that the step says. A rebase also moves main, in another file. */
async function take(name: string, text: string, how: Step['how']): Promise<void> {
  if (how === 'rebase') {
    await clone.git('checkout', '--quiet', 'main');
    await clone.commit('Main', { 'base.txt': `${newLine()}\n` });
    await clone.git('push', '--quiet', 'origin', 'main');
    await clone.git('checkout', '--quiet', name);
    await clone.git('rebase', '--quiet', 'main');
  }
  await clone.write(`${name}.txt`, text);
  await clone.git('add', '--all');
  await clone.git(
    'commit',
    '--quiet',
    '--allow-empty',
    ...(how === 'amend' ? ['--amend', '--no-edit'] : ['-m', 'Edit']),
  );
  await clone.git('push', '--quiet', '--force', 'origin', name);
}

test(
  'a thread stays on its line while the line exists, and is outdated once it is gone, whatever is pushed',
  async () => {
    let histories = 0;
    const property = fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
      const name = `history-${++histories}`;
      let lines = Array.from({ length: 12 }, newLine);
      await clone.git('checkout', '--quiet', '-B', name, 'main');
      await take(name, `${lines.join('\n')}\n`, 'push');
      const { body: opened } = await ask<MergeRequest>(place, 'POST', '', { source: name, title: name });
      const texts = new Map<string, string>();
      const begin = async (line: number) => {
        const json = { path: `/${name}.txt`, line, body: 'Here' };
        const { body } = await ask<ReviewThread>(place, 'POST', `/${opened.number}/threads`, json);
        texts.set(body.id, lines[line - 1] ?? '');
      };
      for (const line of [1, 6, 12]) await begin(line);
      for (const { edits, how } of steps) {
        lines = edits.reduce(edited, lines);
        await take(name, lines.map((line) => `${line}\n`).join(''), how);
        const { body } = await ask<{ data: ReviewThread[] }>(place, 'GET', `/${opened.number}/threads`);
        const found = body.data.map(({ id, line, outdated }) => [texts.get(id), outdated ? null : line]);
        const expected = [...texts.values()].map((text) => [
          text,
          lines.includes(text) ? lines.indexOf(text) + 1 : null,
        ]);
        expect(found).toEqual(expected);
        if (lines.length > 0) await begin(1 + (edits.length % lines.length));
      }
    });
    await fc.assert(property, { seed: fuzzSeed, numRuns, endOnFailure: true });
  },
  120_000 + numRuns * 20_000,
);
