import { Bottega, BottegaError, webhooks } from '@bottega/sdk';

/** The session of every runtime: requests, bytes, a list, an error, a stream, a signature, a live edit. */
export async function session(baseUrl, token) {
  const client = new Bottega({ baseUrl, token });
  const { id } = await client.projects.create({ name: 'Everywhere' });
  const file = await client.files.write(id, { path: '/a.bin', content: new Uint8Array([1, 2, 3]) });
  const bytes = await (await client.files.read(id, file.id)).arrayBuffer();
  const paths = [];
  for await (const { path } of client.files.list(id, { limit: 1 })) paths.push(path);
  const failure = await client.projects.get('prj_none').catch((error) => error);

  const subscription = client.events.subscribe({
    projectId: id,
    types: ['file.created'],
    after: await start(client, id),
  });
  const writing = client.files.write(id, { path: '/b.txt', content: 'b' });
  let heard;
  for await (const event of subscription) {
    heard = event.data.file.path;
    break;
  }
  await writing;
  const forged = await webhooks.verify('{}', { 'x-service-signature': '00' }, 'secret').catch((error) => error.code);

  const { session_id } = await client.sessions.create({ name: 'Live', workspace_id: id });
  const live = await client.sessions.join(session_id);
  const text = await live.open('/b.txt');
  text.insert(1, '🐙');
  await text.durable();
  await live.close();
  return [
    bytes.byteLength,
    paths.join(),
    failure instanceof BottegaError && failure.status,
    heard,
    forged,
    text.text,
  ].join(' ');
}

const start = async (client, projectId) => (await client.events.list({ projectId })).pagination.next;
