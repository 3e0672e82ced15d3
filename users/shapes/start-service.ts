import { readGreeting } from './greeting.ts';
import { runService } from './service-process.ts';
import type { Operator, Running } from './shape.ts';

type Service = { start: readonly string[]; operator: Operator; stopped?(): Promise<void> };

/** Runs the command that starts a service, and waits until it prints its administrator. */
export async function startService({ start, operator, stopped }: Service): Promise<Running> {
  const service = runService(start, operator);
  const greeting = await service.until('it prints the administrator', readGreeting);
  return {
    ...greeting,
    nodes: [greeting.url],
    hasRedis: false,
    operator,
    async stop() {
      await service.stop();
      await stopped?.();
    },
  };
}
