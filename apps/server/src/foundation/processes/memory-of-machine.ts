import { totalmem } from 'node:os';

/**
 * The memory of the machine or, in a container, the memory that it may use. If a container has no limit, the system
 * reports a limit of 0, or one above the memory of the machine.
 */
export function memoryOfMachine(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
