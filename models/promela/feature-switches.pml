/*
 * A thermostat that is put together by the preprocessor: the variant chosen
 * below reads one sensor and switches with hysteresis.
 *
 * expect: holds
 * property: safety
 * stored: 127
 * ltl bounded: holds
 * define: VARIANT=2
 */
#ifndef VARIANT
#define VARIANT 2
#endif

#define SENSORS	3
#undef SENSORS

#if VARIANT == 1
#define ON_BELOW	5
#define OFF_ABOVE	5
#elif VARIANT == 2
#define ON_BELOW	4
#define OFF_ABOVE	6
#else
#error "no such variant"
#endif

#ifdef SENSORS
#define READ(x)	x = (temperature * SENSORS) / SENSORS
#else
#define READ(x)	x = temperature
#endif

#define WITHIN(x, low, high) \
	((x) >= (low) && \
	 (x) <= (high))

#if !defined(SENSORS) && (OFF_ABOVE - ON_BELOW > 1)
#define HYSTERESIS	1
#endif

byte temperature = 5;
bool heating;
chan tick = [0] of { bit };

active proctype Room()
{
	do
	:: tick!0;
	   if
	   :: heating -> temperature++
	   :: else -> temperature--
	   fi
	od
}

active proctype Thermostat()
{
	byte reading;

	do
	:: READ(reading);
	   if
	   :: reading <= ON_BELOW -> heating = true
	   :: reading >= OFF_ABOVE -> heating = false
#ifdef HYSTERESIS
	   :: else		/* leave it as it is */
#endif
	   fi;
	   tick?0
	od
}

ltl bounded { [] WITHIN(temperature, ON_BELOW - 3, OFF_ABOVE + 3) }
