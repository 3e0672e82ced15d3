import { expect, test } from 'vitest';
import { Bottega } from './index.ts';
import { refusal, scriptedFetch } from './testing/scripted-fetch.ts';

const failureWith = (answer: Response) =>
  new Bottega({ baseUrl: 'http://bottega.test/', fetch: scriptedFetch(answer) }).user.get().catch((error) => error);

test('an error has code, status, details, fields and the id of the request', async () => {
  const details = [{ field: 'name', message: 'must not be empty' }];
  expect(await failureWith(refusal(422, 'VALIDATION_ERROR', {}, details))).toMatchObject({
    name: 'BottegaError',
    message: 'Refused: name must not be empty',
    ...{ code: 'VALIDATION_ERROR', status: 422, details, fields: details, requestId: 'req_1' },
  });
});

test('fields are also found in an object, as live sessions send them', async () => {
  const fields = [{ field: 'name', message: 'is missing' }];
  expect((await failureWith(refusal(422, 'VALIDATION_ERROR', {}, { fields }))).fields).toEqual(fields);
});

test('an answer that does not come from the service is reported as such, with its beginning', async () => {
  expect(await failureWith(new Response('<h1>It works!</h1>'))).toMatchObject({
    code: 'UNEXPECTED_ANSWER',
    status: 200,
    details: '<h1>It works!</h1>',
  });
  expect(await failureWith(new Response('nothing here', { status: 404 }))).toMatchObject({
    code: 'UNEXPECTED_ANSWER',
    status: 404,
  });
});

test('a value that would lead to another route is refused before anything is sent', () => {
  const client = new Bottega({ baseUrl: 'http://bottega.test', fetch: scriptedFetch() });
  for (const id of ['', '.', '..', undefined as unknown as string]) {
    expect(() => client.projects.get(id)).toThrow('project_id must be a non-empty string');
  }
});

test('an invalid address is refused', () => {
  expect(() => new Bottega({ baseUrl: 'localhost:3000' })).toThrow('baseUrl must be');
});
