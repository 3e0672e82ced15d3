import { clone, oneProcess, several } from './clone.ts';
import { cluster, clusterWithoutRedis } from './cluster.ts';
import { builtImage } from './image.ts';
import { installedPackage } from './package.ts';
import type { Shape } from './shape.ts';

/** Every way in which users run Bottega. */
export const shapes: readonly Shape[] = [
  ...[clone, several, oneProcess, installedPackage, cluster, clusterWithoutRedis, builtImage],
];
