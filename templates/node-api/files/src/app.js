import { HttpError, readJson, sendError, sendJson } from './http.js';
import { createRouter } from './router.js';

/** The whole API as one function, so that tests can start it on any port. */
export function createApp({ notes }) {
  const router = createRouter();

  router.on('GET', '/', () => ({ body: { name: '{{project_name}}', description: '{{description}}' } }));
  router.on('GET', '/health', () => ({ body: { status: 'ok' } }));

  router.on('GET', '/notes', () => ({ body: { data: notes.list() } }));

  router.on('POST', '/notes', async ({ request }) => {
    const { text } = await readJson(request);
    if (typeof text !== 'string' || text.trim() === '') throw new HttpError(422, 'text must be a string with something in it');
    const note = notes.add(text.trim());
    return { status: 201, headers: { location: `/notes/${note.id}` }, body: note };
  });

  router.on('GET', '/notes/:id', ({ params }) => ({ body: found(notes.find(params.id)) }));

  router.on('DELETE', '/notes/:id', ({ params }) => {
    found(notes.remove(params.id));
    return { status: 204 };
  });

  return async (request, response) => {
    try {
      const { pathname } = new URL(request.url, 'http://localhost');
      const route = router.find(request.method, pathname);
      sendJson(response, await route.handler({ request, params: route.params }));
    } catch (error) {
      sendError(response, error);
    }
  };
}

function found(thing) {
  if (!thing) throw new HttpError(404, 'There is no such note');
  return thing;
}
