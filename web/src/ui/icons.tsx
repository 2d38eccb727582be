// The few signs on buttons, drawn with one pen.

const paths = {
  back: 'M9 14 4 9l5-5M4 9h9a7 7 0 0 1 0 14h-3',
  fresh: 'M12 5v14M5 12h14',
  hint: 'M9.5 18h5M10.5 21h3M9 15c0-2-2.5-3-2.5-6.2a5.5 5.5 0 0 1 11 0C17.5 12 15 13 15 15Z',
  flip: 'M8 20V5M4 9l4-4 4 4M16 4v15M12 15l4 4 4-4',
  share: 'M12 15V4M8 8l4-4 4 4M5 13v6a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1v-6',
  first: 'M18 6l-6 6 6 6M8 6v12',
  previous: 'M15 6l-6 6 6 6',
  next: 'M9 6l6 6-6 6',
  last: 'M6 6l6 6-6 6M16 6v12',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5Z',
  sun: 'M12 4V2M12 22v-2M4 12H2M22 12h-2M6.3 6.3 4.9 4.9M19.1 19.1l-1.4-1.4M6.3 17.7l-1.4 1.4M19.1 4.9l-1.4 1.4M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8Z',
  close: 'M6 6l12 12M18 6 6 18',
  down: 'M6 9l6 6 6-6',
  pause: 'M9 5v14M15 5v14',
  play: 'M8 5l11 7-11 7Z',
};

export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
