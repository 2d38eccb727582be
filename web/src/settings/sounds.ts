// Small sounds, made when they are wanted: a man set down on stone, a man pushed along, a mill, a take, the end.

import { settings } from './settings';

export type Sound = 'place' | 'slide' | 'mill' | 'take' | 'end';

let context: AudioContext | null = null;

/** A knock: a short burst of noise through a narrow window around `pitch`. */
function knock(audio: AudioContext, at: number, pitch: number, length: number, loud: number): void {
  const frames = Math.ceil(audio.sampleRate * length);
  const buffer = audio.createBuffer(1, frames, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < frames; i++) samples[i] = (Math.random() * 2 - 1) * Math.exp((-7 * i) / frames);
  const source = audio.createBufferSource();
  source.buffer = buffer;
  const window = audio.createBiquadFilter();
  window.type = 'bandpass';
  window.frequency.value = pitch;
  window.Q.value = 2.2;
  const gain = audio.createGain();
  gain.gain.value = loud;
  source.connect(window).connect(gain).connect(audio.destination);
  source.start(at);
}

/** A tone that rings out. */
function ring(audio: AudioContext, at: number, pitch: number, length: number, loud: number): void {
  const tone = audio.createOscillator();
  tone.type = 'triangle';
  tone.frequency.value = pitch;
  const gain = audio.createGain();
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loud, at + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  tone.connect(gain).connect(audio.destination);
  tone.start(at);
  tone.stop(at + length);
}

export function play(sound: Sound): void {
  if (!settings.peek().sounds || typeof AudioContext !== 'function') return;
  // Browsers let a page be heard only once it has been touched.
  if (!context && navigator.userActivation && !navigator.userActivation.hasBeenActive) return;
  try {
    context ??= new AudioContext();
    if (context.state === 'suspended') void context.resume();
    const now = context.currentTime + 0.005;
    knock(context, now, sound === 'slide' ? 620 : 1150, sound === 'slide' ? 0.12 : 0.06, 0.9);
    if (sound === 'mill') [523, 784].forEach((pitch, i) => ring(context!, now + 0.05 + i * 0.07, pitch, 0.4, 0.07));
    if (sound === 'take') knock(context, now + 0.11, 420, 0.09, 1);
    if (sound === 'end') [392, 523, 659].forEach((pitch, i) => ring(context!, now + 0.08 + i * 0.12, pitch, 0.7, 0.07));
  } catch {
    // Without sound, then.
  }
}
