/**
 * {{project_name}}: {{description}}
 *
 * @module
 */

export { chunk } from './chunk.ts';
export { groupBy } from './group-by.ts';
