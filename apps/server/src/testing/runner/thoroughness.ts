/**
 * `npm test` guards every change, and somebody waits for it; `npm run test:nightly` has time. What is guessed, repeated or
 * multiplied out is tried more often by night; files named `x.nightly.test.ts` run by night alone.
 */
export const isNightly = process.env.NIGHTLY === 'true';

export const byNight = <Value>(thorough: Value, otherwise: Value): Value => (isNightly ? thorough : otherwise);

/** The same requests with every change, others every night. `FUZZ_SEED` repeats what failed; the failure names it. */
export const fuzzSeed = Number(process.env.FUZZ_SEED ?? byNight(Date.now() % 1_000_000, 20_260_101));

/** How often a property is tried. `FUZZ_RUNS=2000` looks closer. */
export const fuzzRuns = (nightly: number, otherwise: number): number =>
  Number(process.env.FUZZ_RUNS ?? byNight(nightly, otherwise));
