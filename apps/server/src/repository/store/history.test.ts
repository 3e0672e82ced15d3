import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { transaction } from '../../foundation/db/index.ts';
import { newId } from '../../foundation/ids.ts';
import { rowsRead } from '../../testing/parts/rows-read.ts';
import { inProject, newPlace, writeFile } from '../../testing/samples/sample-files.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { type CommitRow, findCommit, insertCommits } from './commits.sql.ts';
import { historyLength, jumpInHistory, readHistoryPage } from './history.service.ts';

const service = useTestService();
let projectId: string;
beforeEach(() => {
  projectId = newId('prj');
});

const idOf = (name: string) => createHash('sha1').update(`${projectId} ${name}`).digest();

/**
 * Stores commits by the names of their parents, parents first. Their positions are those of a push: merges are not
 * counted.
 */
async function storeCommits(parentsOf: Record<string, string[]>): Promise<Map<string, CommitRow>> {
  const rows = new Map<string, CommitRow>();
  for (const [name, parents] of Object.entries(parentsOf)) {
    const above = parents.map((parent) => rows.get(parent) as CommitRow);
    rows.set(name, {
      sha: idOf(name),
      tree_sha: idOf('tree'),
      parents: parents.map(idOf),
      generation: Math.max(0, ...above.map(({ generation }) => generation)) + 1,
      beside: parents.length > 1 ? null : above[0] ? above[0].beside : 0,
      author_name: 'Ada',
      author_email: 'ada@example.com',
      committed_at: new Date(1_700_000_000_000 + rows.size * 1000),
      message: name,
    });
  }
  await transaction(service.db, (trx) => insertCommits(trx, projectId, [...rows.values()]));
  return rows;
}

const line = (length: number): Record<string, string[]> =>
  Object.fromEntries(Array.from({ length }, (_, n) => [`c${n + 1}`, n === 0 ? [] : [`c${n}`]]));

/** Every twentieth commit is one of several roots. Every third merges earlier commits, some of them much earlier. */
function tangled(size: number): Record<string, string[]> {
  const parentsOf: Record<string, string[]> = { c0: [] };
  for (let n = 1; n < size; n++) {
    const back = (step: number) => `c${Math.max(0, n - 1 - ((n * step) % 37))}`;
    const parents = n % 20 === 0 ? [] : n % 3 === 0 ? [...new Set([back(1), back(7), back(11)])] : [back(5)];
    parentsOf[`c${n}`] = parents;
  }
  return parentsOf;
}

/** All reachable commits in the order of the API, found by the simplest algorithm. */
function expectedHistory(rows: Map<string, CommitRow>, head: CommitRow): string[] {
  const bySha = new Map([...rows.values()].map((row) => [row.sha.toString('hex'), row]));
  const reached = new Set<CommitRow>([head]);
  for (const { parents } of reached) {
    for (const parent of parents) reached.add(bySha.get(parent.toString('hex')) as CommitRow);
  }
  return [...reached]
    .sort((a, b) => b.generation - a.generation || b.committed_at.getTime() - a.committed_at.getTime())
    .map(({ sha }) => sha.toString('hex'));
}

const hexOf = (shas: Buffer[]) => shas.map((sha) => sha.toString('hex'));

describe('the history of a commit', () => {
  test('is the same page by page, from the end of each page, and as a whole, even with tangled merges', async () => {
    const rows = await storeCommits(tangled(300));
    for (const name of ['c299', 'c288', 'c150', 'c20']) {
      const head = rows.get(name) as CommitRow;
      const expected = expectedHistory(rows, head);
      expect(await historyLength(service.db, projectId, head)).toBe(expected.length);
      const followed: string[] = [];
      for (let from = [head.sha]; from.length > 0; ) {
        const offset = followed.length;
        const numbered = await readHistoryPage(service.db, projectId, { from: [head.sha], offset, limit: 7 });
        const page = await readHistoryPage(service.db, projectId, { from, offset: 0, limit: 7 });
        expect(hexOf(numbered.shas)).toEqual(hexOf(page.shas));
        followed.push(...hexOf(page.shas));
        from = page.rest;
      }
      expect(followed).toEqual(expected);
    }
  });

  test('is read only as far as a page needs, at its beginning, in its middle and at its end', async () => {
    const rows = await storeCommits(line(3000));
    const head = rows.get('c3000') as CommitRow;
    for (const offset of [0, 1500, 2990]) {
      const read = await rowsRead(service.db, 'git_commits', async (trx) => {
        const place = await jumpInHistory(trx, projectId, { head, offset });
        const { shas } = await readHistoryPage(trx, projectId, { ...place, limit: 10 });
        expect(hexOf(shas)[0]).toBe(idOf(`c${3000 - offset}`).toString('hex'));
        expect(shas).toHaveLength(10);
      });
      expect(read).toBeLessThan(40);
    }
  });

  test('is counted once: the count is stored, and reused for later commits', async () => {
    const rows = await storeCommits({ ...line(50), side: ['c10'], merge: ['c50', 'side'], after: ['merge'] });
    const merge = rows.get('merge') as CommitRow;
    expect(await historyLength(service.db, projectId, merge)).toBe(52);
    const kept = (await findCommit(service.db, projectId, merge.sha)) as CommitRow;
    expect(kept.beside).toBe(1);
    expect(await historyLength(service.db, projectId, rows.get('after') as CommitRow)).toBe(53);
  });
});

test('a PUT and a commit by REST store the count of the history', async () => {
  const place = await newPlace(service);
  for (let n = 0; n < 3; n++) await writeFile(place, '/a.txt', `${n}\n`);
  await inProject(place, 'POST', '/commits', {
    json: { changes: [{ action: 'create', path: '/b.txt', content: 'b' }] },
  });
  const { rows } = await service.pool.query('select beside from git_commits where project_id = $1', [place.projectId]);
  expect(rows).toEqual([0, 0, 0, 0].map((beside) => ({ beside })));
});
