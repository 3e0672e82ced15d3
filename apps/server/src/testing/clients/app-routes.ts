import type { App } from '../../foundation/http/index.ts';

/**
 * Every route of a running app as `METHOD /path/{parameter}`, including hidden ones. Each is listed once, however many
 * mounts it has. HEAD is left out: it is GET without the body.
 */
export function routesOf(app: App): string[] {
  const above: string[] = [];
  const routes = new Set<string>();
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent, part, methods] = /^(.*?)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    if (indent === undefined || part === undefined) continue;
    above.length = indent.length / 4;
    above.push(part);
    for (const method of (methods ?? '').split(', ')) {
      if (method !== '' && method !== 'HEAD') routes.add(`${method} ${pathOf(above.join(''))}`);
    }
  }
  return [...routes].sort();
}

const pathOf = (url: string): string =>
  url
    .replace(/^\/api\/v1\//, '/v1/')
    .replaceAll(/:(\w+)/g, '{$1}')
    .replace(/\/?\*$/, '/*');
