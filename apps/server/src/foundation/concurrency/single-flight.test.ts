import { describe, expect, test } from 'vitest';
import { freshFlight, singleFlight } from './single-flight.ts';

/** Work whose runs end when the test says so. */
function heldWork() {
  const runs: PromiseWithResolvers<string>[] = [];
  const work = () => {
    const run = Promise.withResolvers<string>();
    runs.push(run);
    return run.promise;
  };
  return { runs, work };
}

describe('singleFlight', () => {
  test('gives concurrent callers of one key the same result, and does not hold up another key', async () => {
    const { runs, work } = heldWork();
    const fly = singleFlight<string, [], string>(work);
    const [one, same, other] = [fly('a'), fly('a'), fly('b')];
    expect(runs).toHaveLength(2);
    runs[1]?.resolve('for b');
    expect(await other).toBe('for b');
    runs[0]?.resolve('for a');
    expect(await Promise.all([one, same])).toEqual(['for a', 'for a']);
  });

  test('keeps neither a result nor a failure', async () => {
    const { runs, work } = heldWork();
    const fly = singleFlight<string, [], string>(work);
    const failed = fly('a');
    runs[0]?.reject(new Error('away'));
    await expect(failed).rejects.toThrow('away');
    const next = fly('a');
    runs[1]?.resolve('back');
    expect(await next).toBe('back');
  });
});

describe('freshFlight', () => {
  test('lets all who call during a run share the next run, which begins after their calls', async () => {
    const { runs, work } = heldWork();
    const fly = freshFlight(work);
    const first = fly();
    const [second, third] = [fly(), fly()];
    expect(runs).toHaveLength(1);
    runs[0]?.resolve('old');
    expect(await first).toBe('old');
    await expect.poll(() => runs.length).toBe(2);
    const fourth = fly();
    runs[1]?.resolve('new');
    expect(await Promise.all([second, third])).toEqual(['new', 'new']);
    await expect.poll(() => runs.length).toBe(3);
    runs[2]?.resolve('newer');
    expect(await fourth).toBe('newer');
  });

  test('never has two runs at once, not even for a call at the moment in which a run ends', async () => {
    let running = 0;
    let max = 0;
    const fly = freshFlight(async () => {
      max = Math.max(max, ++running);
      await new Promise(setImmediate);
      running--;
    });
    const again = (times: number): Promise<void> => fly().then(() => (times > 0 ? again(times - 1) : undefined));
    await Promise.all([again(5), again(5), again(5)]);
    expect(max).toBe(1);
  });

  test('fails only the callers of a run that fails, and the next run goes on', async () => {
    const { runs, work } = heldWork();
    const fly = freshFlight(work);
    const [first, second] = [fly(), fly()];
    runs[0]?.reject(new Error('away'));
    await expect(first).rejects.toThrow('away');
    await expect.poll(() => runs.length).toBe(2);
    runs[1]?.resolve('back');
    expect(await second).toBe('back');
  });
});
