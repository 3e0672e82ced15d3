import { useEffect, useState } from 'react';

/** A state that the browser remembers. What it cannot read is as if it were not there. */
export function useStored<Value>(key: string, initial: Value) {
  const [value, setValue] = useState<Value>(() => read(key) ?? initial);
  useEffect(() => {
    try {
      localStorage.setItem(key, JSON.stringify(value));
    } catch {
      // Private windows may have no storage; the app works without.
    }
  }, [key, value]);
  return [value, setValue] as const;
}

function read<Value>(key: string): Value | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') as Value | null;
  } catch {
    return null;
  }
}
