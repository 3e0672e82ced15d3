import { routes } from '@bottega/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { postMessage, toolCall } from '../../mcp/messages.fixture.ts';
import { tools } from '../../mcp/tools/index.ts';
import { call } from '../clients/http-client.ts';
import { beyond, largestOf, type Schema } from '../samples/largest-values.ts';
import { newPlace, type Place, writeFile } from '../samples/sample-files.ts';
import { standInSettings, useStandInAgent } from '../samples/stand-in-agent.ts';
import { useTestService } from '../service/test-service.ts';
import type { Asked, Caller } from '../tables/documented-route.ts';
import { routeTable } from '../tables/route-table.ts';

/** Longest time that one step of a request may block the others, in milliseconds of processor time. */
const longestStepMs = 250;
const maxMemory = 2 ** 30;

type Blocked = { blocked_ms: number; cpu_ms: number; requests: unknown };
let blocked: Blocked[] = [];
const service = useTestService({
  settings: {
    ...standInSettings,
    BOTTEGA_RATE_LIMIT_FREE: '1000000/1000000',
    BOTTEGA_PROJECT_LIMIT_FREE: '100000',
  },
  logTo: {
    write(line) {
      if (line.includes('the event loop was blocked')) blocked.push(JSON.parse(line));
    },
  },
});
useStandInAgent(service);

let caller: Caller;
let before: number;
beforeAll(async () => {
  const user = await service.createUser();
  caller = { service, user, token: user.key, url: (path) => `${service.url}/v1${path}` };
  before = process.memoryUsage.rss();
});

/**
 * Expects that no step is long, and the memory stays within its bound. What earlier requests left is collected in some
 * step, and the first request to a tool compiles it: so a step counts if it is long again.
 */
async function mustBeCheap(work: () => Promise<void>): Promise<void> {
  await work();
  if ((await longSteps()).length > 0) {
    await work();
    expect(await longSteps()).toEqual([]);
  }
  expect(process.memoryUsage.rss() - before).toBeLessThan(maxMemory);
}

async function longSteps(): Promise<Blocked[]> {
  // The tick after a step measures it.
  await new Promise((resolve) => setTimeout(resolve, 120));
  const steps = blocked.filter(({ blocked_ms, cpu_ms }) => Math.min(blocked_ms, cpu_ms) > longestStepMs);
  blocked = [];
  return steps;
}

type Contract = { address: string; body?: unknown; query?: unknown };
const contracts: Contract[] = Object.values(routes);
const contractOf = (name: string) => contracts.find(({ address }) => address === name.replace(' /v1/', ' /'));
const fieldsOf = (schema: unknown): [string, Schema][] =>
  Object.entries((schema as Schema | undefined)?.properties ?? {});

async function ask(name: string, change: (asked: Asked) => Asked): Promise<number> {
  const [method = '', pattern = ''] = name.split(' ');
  const [, success] = routeTable[name]?.success ?? [];
  const { path = pattern.replace('/v1', ''), after, ...rest } = change((await success?.(caller)) ?? {});
  try {
    return (await call(method, caller.url(path), { token: caller.token, ...rest })).status;
  } finally {
    await after?.();
  }
}

const withField =
  (name: string, value: unknown) =>
  (asked: Asked): Asked => ({
    ...asked,
    json: { ...(asked.json as object | undefined), [name]: value },
  });

/** The length limit of a URL is far below that of a body. */
const longestQuery = 6_000;

const withQuery =
  (name: string, value: unknown) =>
  (asked: Asked): Asked => {
    const { pathname, search } = new URL(asked.path ?? '/', 'http://x');
    const query = new URLSearchParams(search);
    query.set(name, String(value).slice(0, longestQuery));
    return { ...asked, path: `${pathname}?${query}` };
  };

describe('with the largest values that its schema allows, and with larger ones,', () => {
  test.each(Object.keys(routeTable))('%s answers without a 5xx, long blocking or much memory', async (name) => {
    const contract = contractOf(name);
    const fields = fieldsOf(contract?.body).flatMap(([field, schema]) => ({ field, schema, change: withField }));
    const queries = fieldsOf(contract?.query).flatMap(([field, schema]) => ({ field, schema, change: withQuery }));
    await mustBeCheap(async () => {
      for (const { field, schema, change } of [...fields, ...queries]) {
        for (const value of largestOf(schema)) {
          expect(await ask(name, change(field, value)), `the most of ${field}`).toBeLessThan(500);
        }
        for (const value of beyond(schema).filter(
          (one) => change === withField || String(one).length <= longestQuery,
        )) {
          const status = await ask(name, change(field, value));
          expect(status, `beyond the most of ${field}`).toBeGreaterThanOrEqual(400);
          expect(status, `beyond the most of ${field}`).toBeLessThan(500);
        }
      }
    });
  });
});

describe('with the largest arguments that its schema allows,', () => {
  let place: Place;
  beforeAll(async () => {
    place = await newPlace(service, {}, caller.user);
    await writeFile(place, '/a.txt', 'a'.repeat(900_000));
  });
  /** Values of the fields that are not under test. */
  const usual = (name: string): unknown =>
    name === 'project_id' ? place.projectId : name.includes('path') ? '/a.txt' : 'a';

  test.each(tools.map((tool) => [tool.name, tool] as const))(
    'the tool %s answers without long blocking or much memory',
    async (name, tool) => {
      const fields = fieldsOf(tool.input);
      const required = (tool.input as { required?: string[] }).required ?? [];
      const least = Object.fromEntries(required.map((field) => [field, usual(field)]));
      await mustBeCheap(async () => {
        for (const [field, schema] of fields) {
          for (const value of [...largestOf(schema), ...beyond(schema)]) {
            const { status } = await postMessage(service, toolCall(name, { ...least, [field]: value }), {
              token: caller.token,
            });
            expect(status, `the most of ${field}`).toBeLessThan(500);
          }
        }
      });
    },
  );
});
