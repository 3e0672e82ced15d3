import { expect } from 'vitest';
import type { Clone } from '../repository/smart-http/git-client.fixture.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { contentAt, idAt, inProject, listFiles, type Place, putFile } from '../testing/samples/sample-files.ts';
import { type InWorkspace, inWorkspace } from '../testing/samples/sample-workspaces.ts';
import type { Reached } from '../testing/service/test-service.ts';

/** Numbers that the seed determines (mulberry32). */
export function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export const branches = ['main', 'feature'] as const;
type Branch = (typeof branches)[number];

type Result = { exit_code: number | null; stdout: string; stderr: string };

/**
 * Runs a command again while the service is away. It counts only if it says so with its last line: a command whose
 * answer was lost may have run, and what it added is then neither expected nor forbidden.
 */
export async function tryRun(at: InWorkspace, command: string): Promise<Result | null> {
  const answer = await inWorkspace<Result>(at, 'POST', '/commands', { command }).catch(() => null);
  return answer?.status === 200 ? answer.body : null;
}

type Added = { branch: Branch; token: string };

/**
 * People, programs, checkouts and pushes that work on two branches of a project at the same time. Everything that was
 * acknowledged must be on its branch afterwards, once, and nothing of it on the other one.
 */
export function branchHistory(place: Place<Reached>, at: InWorkspace, clone: Clone, random: (below: number) => number) {
  const added: Added[] = [];
  let number = 0;
  const token = () => `token${number++}x`;
  const onBranch = (branch: Branch) => (branch === 'main' ? place : { ...place, branch });

  /** Adds a line, moves a file or deletes one, on whatever branch is checked out. */
  async function program(): Promise<void> {
    const one = token();
    const work = [
      `sed -i '${1 + random(20)}a ${one}' a.txt`,
      `echo ${one} > own-${number}.txt`,
      `mkdir -p moved && echo ${one} > draft-${number}.txt && mv draft-${number}.txt moved/`,
      `echo gone > gone-${number}.txt && sleep 0.05 && rm gone-${number}.txt && echo ${one} >> b.txt`,
    ][random(4)];
    const done = await tryRun(at, `${work} && git symbolic-ref --short HEAD`);
    if (done?.exit_code === 0) added.push({ branch: done.stdout.trim() as Branch, token: one });
  }

  /** Checks out a branch. What is not committed is committed before, because git would refuse the checkout. */
  async function checkout(): Promise<void> {
    const branch = branches[random(2)];
    await tryRun(at, `git add -A; git commit -qm Save; git checkout -q ${branch}`);
  }

  async function publish(): Promise<void> {
    await tryRun(at, 'git add -A; git commit -qm Publish; git push -q; git pull -q');
  }

  /** A client that reads, changes and writes, and begins again if the file has changed meanwhile. */
  async function write(): Promise<void> {
    const branch = branches[random(2)] ?? 'main';
    const [where, one] = [onBranch(branch), token()];
    for (let status = 412; status === 412; ) {
      const read = await inProject(where, 'GET', `/files/${await idAt(where, '/c.txt')}/content`);
      const next = { path: '/c.txt', content: `${read.text}${one}\n` };
      ({ status } = await putFile(where, next, { 'if-match': read.headers.get('etag') ?? '' }));
      expect([200, 412]).toContain(status);
    }
    added.push({ branch, token: one });
  }

  /** A push from another machine, which begins again if the branch has moved. */
  async function push(): Promise<void> {
    const branch = branches[random(2)] ?? 'main';
    const one = token();
    const script = `for i in 1 2 3 4 5 6 7 8 9 10; do git fetch -q && git checkout -qf ${branch} && git reset -q --hard origin/${branch} &&
      echo ${one} > pushed-${number}.txt && git add -A && git commit -qm Push && git push -q origin ${branch} && echo pushed && break; done`;
    if ((await clone.shell(script)).includes('pushed')) added.push({ branch, token: one });
  }

  /** The contents of all files of a branch, joined. */
  async function all(branch: Branch): Promise<string> {
    const where = onBranch(branch);
    const files = (await listFiles(where, '?recursive=true&limit=1000')).filter(({ type }) => type !== 'directory');
    return (await Promise.all(files.map(({ path }) => contentAt(where, path)))).join('\n');
  }

  async function check(): Promise<void> {
    const shown =
      'git ls-files -co --exclude-standard -z | sort -z | xargs -0 sh -c \'for f; do [ -f "$f" ] && cat "$f"; done; true\' sh';
    for (const branch of branches) {
      await waitFor(`${branch} is the same on both sides`, async () => {
        const out = await tryRun(at, `git add -A; git commit -qm Save; git checkout -q ${branch}`);
        const disk = out && (await tryRun(at, shown))?.stdout;
        const tokens = (text: string) => [...text.matchAll(/token\d+x/g)].map(([one]) => one).sort();
        const [here, there] = [tokens(disk ?? ''), tokens(await all(branch))];
        return here.length > 0 && here.join() === there.join();
      });
      const content = await all(branch);
      for (const one of added) {
        const times = content.split(one.token).length - 1;
        expect(times, `${one.token} of ${one.branch} on ${branch}`).toBe(one.branch === branch ? 1 : 0);
      }
    }
  }

  return { program, checkout, publish, write, push, check };
}
