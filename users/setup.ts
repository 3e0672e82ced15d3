import type { TestProject } from 'vitest/node';
import { openOutside } from './outside.ts';
import { shapes } from './shapes/index.ts';
import type { Running } from './shapes/shape.ts';

export type Installation = Omit<Running, 'stop'> & { shape: string; outside: string };

declare module 'vitest' {
  interface ProvidedContext {
    installation: Installation;
  }
}

/** All stories come from one address within minutes, which is more than one person does. */
const limits = {
  BOTTEGA_RATE_LIMIT_FREE: '1000000/1000000',
  BOTTEGA_RATE_LIMIT_PRO: '1000000/1000000',
  BOTTEGA_RATE_LIMIT_ENTERPRISE: '1000000/1000000',
  BOTTEGA_RATE_LIMIT_SESSION: '1000000/1000000',
};

/** Journeys take invitation links from the screen, as users do without mail. */
const needsOutside = process.env.USERS_WHAT !== 'journeys';

/** Starts the service once, in the requested shape; every story gets its URL and its administrator. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const name = process.env.USERS_SHAPE ?? 'clone';
  const shape = shapes.find((one) => one.name === name);
  if (!shape) throw new Error(`${name} is no shape: ${shapes.map((one) => one.name).join(', ')}`);
  const outside = await openOutside();
  const { stop, ...running } = await shape.start({ ...limits, ...(needsOutside && outside.settings) });
  project.provide('installation', { ...running, shape: name, outside: outside.url });
  return async () => {
    await stop();
    await outside.close();
  };
}
