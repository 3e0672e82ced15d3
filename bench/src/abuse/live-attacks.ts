import { closeAll, connectAll } from '../live-clients.ts';
import { type Attack, must, newProject, untilOver } from './attacker.ts';
import { blobOf, commitOf, emptyRepository, many, push, treeOf } from './repository.ts';

const mebibyte = 1024 * 1024;
const [files, sockets] = [150, 10];

const openFiles: Attack = {
  name: 'M8 150 files of 2 MiB opened live',
  async prepare({ attacker }) {
    await emptyRepository(attacker);
    const blob = await blobOf(attacker, 'a line of some file that is edited\n'.repeat(Math.floor((2 * mebibyte) / 36)));
    await commitOf(
      attacker,
      await treeOf(
        attacker,
        many(files, (index) => `100644 blob ${blob}\tf${index}.txt`),
      ),
    );
    const project = await newProject(attacker);
    await push(attacker, project);
    const input = { name: 'Abuse', workspace_id: project };
    const { session_id } = await must<{ session_id: string }>(attacker, ['POST', '/collaboration/sessions', input]);
    const url = `${attacker.url.replace('http', 'ws')}/v1/collaboration/sessions/${session_id}/ws`;
    return async (until) => {
      const headers = { authorization: `Bearer ${attacker.key}` };
      const open = await connectAll({ url, headers, path: '' }, sockets);
      let [opened, refused] = [0, 0];
      for (const [at, ws] of open.entries()) {
        ws.on('message', (data: Buffer) => {
          if (data.subarray(0, 24).includes('file_state')) opened++;
          else if (data.subarray(0, 24).includes('error')) refused++;
        });
        for (let index = 0; index < files / sockets; index++) {
          ws.send(JSON.stringify({ type: 'open_file', file_path: `/f${(at * files) / sockets + index}.txt` }));
        }
      }
      await untilOver(until);
      await closeAll(open);
      return `${opened} texts sent, ${refused} refused`;
    };
  },
};

export const liveAttacks: Attack[] = [openFiles];
