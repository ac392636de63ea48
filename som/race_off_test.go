//go:build !race

package som

const raceDetector = false
