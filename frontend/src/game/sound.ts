/** Short synthesized sounds. Browsers play no sound before the first click on the page. */

/** Frequencies in hertz, each with its start in seconds. */
type Tune = readonly (readonly [number, number])[];

const TURN: Tune = [
  [659.3, 0],
  [880, 0.13],
];
const END: Tune = [
  [523.3, 0],
  [659.3, 0.12],
  [784, 0.24],
  [1046.5, 0.36],
];
/** A pentatonic scale: more points sound higher. */
const SCALE = [523.3, 587.3, 659.3, 784, 880, 1046.5, 1174.7, 1318.5, 1568, 1760];
const LOSS_HZ = 220;

let context: AudioContext | null = null;

function play(tune: Tune, loudness: number, seconds: number): void {
  try {
    if (!navigator.userActivation?.hasBeenActive) return;
    context ??= new AudioContext();
    if (context.state === "suspended") context.resume().catch(() => undefined);
    for (const [hertz, at] of tune) {
      const begin = context.currentTime + at;
      const [tone, gain] = [context.createOscillator(), context.createGain()];
      tone.type = "triangle";
      tone.frequency.value = hertz;
      gain.gain.setValueAtTime(0, begin);
      gain.gain.linearRampToValueAtTime(loudness, begin + 0.012);
      gain.gain.exponentialRampToValueAtTime(0.0001, begin + seconds);
      tone.connect(gain).connect(context.destination);
      tone.start(begin);
      tone.stop(begin + seconds);
    }
  } catch {
    // no audio device
  }
}

export const sound = {
  turn: () => play(TURN, 0.14, 0.45),
  end: () => play(END, 0.12, 0.6),
  points: (points: number) =>
    play([[points < 0 ? LOSS_HZ : (SCALE[Math.min(points, SCALE.length) - 1] ?? LOSS_HZ), 0]], 0.07, 0.25),
};
