import { useLanguage } from './words.tsx';

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

export function ago(at: string, language: string, now = Date.now()): string {
  const seconds = (Date.parse(at) - now) / 1000;
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const step = steps.find(([, length]) => Math.abs(seconds) >= length);
  return step ? format.format(Math.round(seconds / step[1]), step[0]) : format.format(0, 'second');
}

export const exactly = (at: string, language: string): string =>
  new Date(at).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });

/** Shows how long ago something happened. The exact time is shown on hover and is readable by programs. */
export function Ago({ at }: { at: string }) {
  const language = useLanguage();
  return (
    <time dateTime={at} title={exactly(at, language)}>
      {ago(at, language)}
    </time>
  );
}
