import { describe, expect, test } from 'vitest';
import { describeWith } from '../../testing/parts/programs.ts';
import { buildSettings, deployed, logsOf, textOf, visit } from '../../testing/samples/sample-deployments.ts';
import { newPlace } from '../../testing/samples/sample-files.ts';
import { useTestService } from '../../testing/service/test-service.ts';

const service = useTestService({ settings: buildSettings });

describe('a project from a template', () => {
  test('is deployed as a page: static-site', async () => {
    const place = await newPlace(service, { name: 'My Garden', template: 'static-site' });
    const done = await deployed(place);
    expect(done, textOf(await logsOf(place, done.id))).toMatchObject({ status: 'success' });
    expect(await visit(`${done.url}/`)).toMatchObject({ status: 200, text: expect.stringContaining('My Garden') });
  });
});

describeWith(['bwrap', 'prlimit', 'setpriv'], 'a project from a template in the sandbox', () => {
  test.each(['documentation-site', 'node-api'])('is deployed and answers: %s', async (template) => {
    const place = await newPlace(service, { name: 'My Garden', template });
    const done = await deployed(place);
    expect(done, textOf(await logsOf(place, done.id))).toMatchObject({ status: 'success' });
    const page = await visit(`${done.url}/`);
    expect(page.status, page.text).toBeLessThan(500);
  });
});
