import {
  IconBan,
  IconCircleCheckFilled,
  IconCircleDotted,
  IconCircleMinus,
  IconCircleXFilled,
  IconProgress,
  type TablerIcon,
} from '@tabler/icons-react';

type Status = 'pending' | 'building' | 'success' | 'neutral' | 'failed' | 'canceled';

const looks: Record<Status, [icon: TablerIcon, colour: string]> = {
  pending: [IconCircleDotted, 'var(--mantine-color-dimmed)'],
  building: [IconProgress, 'var(--mantine-color-anchor)'],
  success: [IconCircleCheckFilled, 'var(--added-text)'],
  neutral: [IconCircleMinus, 'var(--mantine-color-dimmed)'],
  failed: [IconCircleXFilled, 'var(--mantine-color-error)'],
  canceled: [IconBan, 'var(--mantine-color-dimmed)'],
};

/** Shows a status by shape and colour. The caller shows the word next to it. */
export function StatusIcon({ status, size = 16 }: { status: Status; size?: number }) {
  const [Icon, colour] = looks[status];
  return (
    <Icon
      size={size}
      aria-hidden
      style={{ color: colour, flex: 'none' }}
      {...(status === 'building' && { className: 'turning' })}
    />
  );
}
