import { afterAll, beforeAll } from 'vitest';
import { createPeople } from '../../../users/people.ts';
import type { Settings, Shape } from '../../../users/shapes/shape.ts';
import type { TestService } from '../../server/src/testing/test-service.ts';

/** What a test knows of a service that it did not start inside itself: its address, and how people get accounts there. */
export type Installation = Pick<TestService, 'url' | 'createUser'>;

/** A service of this shape; or, with `JOURNEYS_URL` and an administrator's `JOURNEYS_KEY`, the one that runs there. */
export function useInstallation(shape: Shape, settings: Settings): Installation {
  const { JOURNEYS_URL, JOURNEYS_KEY } = process.env;
  const service = { url: JOURNEYS_URL ?? '', adminKey: JOURNEYS_KEY ?? '' };
  const installation: Installation = { url: service.url, createUser: createPeople(() => service) };
  if (JOURNEYS_URL) return installation;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const running = await shape.start(settings);
    stop = running.stop;
    Object.assign(service, { url: running.url, adminKey: running.admin.key });
    installation.url = running.url;
  });
  afterAll(() => stop?.());
  return installation;
}
