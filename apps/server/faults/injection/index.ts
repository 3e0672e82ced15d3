import { clockFaults } from './clock-faults.ts';
import { databaseFaults } from './database-faults.ts';
import type { Fault } from './fault.ts';
import { nodeFaults } from './node-faults.ts';
import { otherFaults } from './other-faults.ts';

export { aloneFaults } from './alone-faults.ts';
export type { Fault } from './fault.ts';

/** Every fault of a cluster, in the order in which they are tried one by one. */
export const faults: readonly Fault[] = [...nodeFaults, ...databaseFaults, ...otherFaults, ...clockFaults];
