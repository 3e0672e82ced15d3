export { type Builder, type BuilderOptions, startBuilder } from './builder.ts';
export { checkOut } from './checkout.ts';
export { describeBuilds } from './described-builds.ts';
export { registerBuildMetrics } from './metrics.ts';
export { describeSandbox, openSandbox } from './open-sandbox.ts';
export { reapOrphans } from './reaper.ts';
