import { expect, test } from 'vitest';
import { useGitClient } from '../repository/smart-http/git-client.fixture.ts';
import { describeWith } from '../testing/parts/programs.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { projectOf } from '../testing/samples/sample-deployments.ts';
import { contentAt, idAt, inProject, putFile } from '../testing/samples/sample-files.ts';
import { openSocket, startSession } from '../testing/samples/sample-sessions.ts';
import {
  inWorkspace,
  newWorkspace,
  run,
  workspacePrograms,
  workspaceSettings,
} from '../testing/samples/sample-workspaces.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { branchHistory, randomOf } from './convergence.fixture.ts';

const paths = ['/a.txt', '/b.txt', '/deep/c.txt'];
const lines = Array.from({ length: 30 }, (_one, number) => `line ${number}`);

describeWith(workspacePrograms, 'disk, live texts and branch', () => {
  const service = useTestService({ settings: workspaceSettings });
  const client = useGitClient(service);

  /**
   * Typing, programs and the API add lines in random order and at the same time. Afterwards all three sides are the
   * same, and every line that was acknowledged is there once.
   */
  test.each([11, 12, 13])(
    'are the same after a random history, which loses nothing acknowledged (seed %i)',
    async (seed) => {
      const random = randomOf(seed);
      const place = await projectOf(service, Object.fromEntries(paths.map((path) => [path, `${lines.join('\n')}\n`])));
      const at = await newWorkspace(place);
      const session = await startSession(service, place.user, { workspace_id: place.projectId });
      const socket = await openSocket(service, session, { key: place.user.key });
      for (const path of paths.slice(0, 2)) {
        socket.send({ type: 'open_file', file_path: path });
        await socket.next('file_state', ({ file_path }) => file_path === path);
      }
      const added: { path: string; token: string }[] = [];
      let number = 0;
      const add = (path: string) => {
        const token = `token${number++}x`;
        added.push({ path, token });
        return token;
      };
      const program = async () => {
        const path = paths[random(paths.length)] ?? '';
        const line = 1 + random(lines.length);
        await run(at, `sed -i '${line}a ${add(path)}' .${path}`);
      };
      const type = async () => {
        const path = paths[random(2)] ?? '';
        const position = { line: 1 + random(lines.length), column: 1 };
        socket.send({
          type: 'code_change',
          file_path: path,
          changes: [{ type: 'insert', position, text: `${add(path)}\n` }],
        });
      };
      /** A client that reads, changes and writes, and begins again if the file has changed meanwhile. */
      const write = async () => {
        const path = paths[2] ?? '';
        const token = add(path);
        for (let status = 412; status === 412; ) {
          const read = await inProject(place, 'GET', `/files/${await idAt(place, path)}/content`);
          const next = { path, content: `${read.text}${token}\n` };
          ({ status } = await putFile(place, next, { 'if-match': read.headers.get('etag') ?? '' }));
          expect([200, 412]).toContain(status);
        }
      };
      for (let round = 0; round < 15; round++) {
        await Promise.all([program(), type(), write()]);
      }
      socket.send({ type: 'save' });
      const present = async () => {
        const all = [];
        for (const path of paths) {
          const [disk, branch] = [(await run(at, `cat .${path}`)).stdout, await contentAt(place, path)];
          all.push({ path, disk, branch });
        }
        return all;
      };
      const settled = await waitFor('all sides are the same', async () => {
        const all = await present();
        return all.every(({ disk, branch }) => disk === branch) && all;
      });
      for (const { path, token } of added) {
        const content = settled.find((one) => one.path === path)?.branch ?? '';
        expect(content.split(token).length - 1, `${token} in ${path}`).toBe(1);
      }
      await inWorkspace(at, 'DELETE', '');
      socket.ws.close();
    },
  );

  test.each([21, 22])(
    'are the same on both branches after checkouts, renames, deletions and pushes (seed %i)',
    async (seed) => {
      const random = randomOf(seed);
      const place = await projectOf(service, {
        '/a.txt': `${lines.join('\n')}\n`,
        '/b.txt': 'b\n',
        '/c.txt': 'c\n',
      });
      expect((await inProject(place, 'POST', '/branches', { json: { name: 'feature' } })).status).toBe(201);
      const clone = await client.clone(place.projectId, place.user);
      const at = await newWorkspace(place);
      const all = branchHistory(place, at, clone, random);
      for (let round = 0; round < 8; round++) {
        const inside = [all.program, all.checkout, all.publish][random(3)] ?? all.program;
        await Promise.all([all.write(), all.push(), all.program().then(inside)]);
      }
      await all.check();
      await inWorkspace(at, 'DELETE', '');
    },
  );
});
