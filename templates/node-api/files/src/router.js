import { HttpError } from './http.js';

/** Routes by method and path; `:name` stands for one segment. */
export function createRouter() {
  const routes = [];

  return {
    on(method, path, handler) {
      routes.push({ method, segments: path.split('/'), handler });
    },

    /** Throws 404 where no route has the path, and 405 where none of them has the method. */
    find(method, pathname) {
      const segments = pathname.split('/').map(decode);
      const allowed = new Set();
      for (const route of routes) {
        const params = match(route.segments, segments);
        if (!params) continue;
        if (route.method === method) return { handler: route.handler, params };
        allowed.add(route.method);
      }
      if (allowed.size === 0) throw new HttpError(404, 'There is nothing here');
      throw new HttpError(405, `Only ${[...allowed].join(', ')} here`, { allow: [...allowed].join(', ') });
    },
  };
}

function match(pattern, segments) {
  if (pattern.length !== segments.length) return null;
  const params = {};
  for (const [index, part] of pattern.entries()) {
    if (part.startsWith(':')) params[part.slice(1)] = segments[index];
    else if (part !== segments[index]) return null;
  }
  return params;
}

function decode(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new HttpError(400, 'The address cannot be decoded');
  }
}
