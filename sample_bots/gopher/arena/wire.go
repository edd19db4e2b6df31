package arena

import (
	"encoding/binary"
	"errors"
	"reflect"
)

// How long the content of a field is: a varint ends itself, the others have a fixed length or count their bytes.
const (
	varint     = 0
	eightBytes = 1
	counted    = 2
)

var errCutOff = errors.New("a message is cut off")

// decode reads a message, or a further part of it, into a struct whose fields stand in the order of their numbers.
func decode(raw []byte, message reflect.Value) error {
	for len(raw) > 0 {
		tag, rest, err := number(raw)
		if err != nil {
			return err
		}
		var value uint64
		var content []byte
		if value, content, raw, err = next(int(tag%8), rest); err != nil {
			return err
		}
		place := int(tag/8) - 1
		if place < 0 || place >= message.NumField() { // newer than this kit
			continue
		}
		if err := set(message.Field(place), value, content); err != nil {
			return err
		}
	}
	return nil
}

// next takes the content of one field off raw: a number or bytes, and what follows.
func next(wire int, raw []byte) (uint64, []byte, []byte, error) {
	size := uint64(4)
	switch wire {
	case varint:
		value, rest, err := number(raw)
		return value, nil, rest, err
	case eightBytes:
		size = 8
	case counted:
		var err error
		if size, raw, err = number(raw); err != nil {
			return 0, nil, nil, err
		}
	}
	if size > uint64(len(raw)) {
		return 0, nil, nil, errCutOff
	}
	return 0, raw[:size], raw[size:], nil
}

func number(raw []byte) (uint64, []byte, error) {
	value, size := binary.Uvarint(raw)
	if size <= 0 {
		return 0, nil, errCutOff
	}
	return value, raw[size:], nil
}

// set puts what was read into a field of the struct.
func set(field reflect.Value, value uint64, content []byte) error {
	switch field.Kind() {
	case reflect.Bool:
		field.SetBool(value != 0)
	case reflect.String:
		field.SetString(string(content))
	case reflect.Pointer:
		if field.IsNil() {
			field.Set(reflect.New(field.Type().Elem()))
		}
		return set(field.Elem(), value, content)
	case reflect.Struct:
		return decode(content, field)
	case reflect.Slice:
		return add(field, value, content)
	default: // a number; the only one of eight bytes is the table's
		if field.Kind() == reflect.Uint64 {
			value = binary.LittleEndian.Uint64(content)
		}
		field.SetUint(value)
	}
	return nil
}

// add appends what was read to a list; several numbers may come as one content.
func add(list reflect.Value, value uint64, content []byte) error {
	element := list.Type().Elem()
	if element.Kind() == reflect.Uint8 && element != reflect.TypeFor[Card]() {
		list.SetBytes(content)
		return nil
	}
	if element != reflect.TypeFor[Card]() || content == nil {
		one := reflect.New(element).Elem()
		list.Set(reflect.Append(list, one))
		return set(list.Index(list.Len()-1), value, content)
	}
	for len(content) > 0 {
		var err error
		if value, content, err = number(content); err != nil {
			return err
		}
		list.Set(reflect.Append(list, reflect.ValueOf(Card(value))))
	}
	return nil
}

func appendNumber(raw []byte, field int, value uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(raw, uint64(8*field+varint)), value)
}

func appendBytes(raw []byte, field int, content []byte) []byte {
	raw = binary.AppendUvarint(raw, uint64(8*field+counted))
	return append(binary.AppendUvarint(raw, uint64(len(content))), content...)
}

// encodeReply is a TakeTurnResponse.
func encodeReply(turn *Turn, action Action) []byte {
	raw := binary.LittleEndian.AppendUint64([]byte{8*1 + eightBytes}, turn.Table)
	return append(appendNumber(raw, 2, uint64(turn.Turn)), action.encode()...)
}

func (play Play) encode() []byte {
	var raw []byte
	for _, card := range play.Discard {
		raw = appendNumber(raw, 1, uint64(card))
	}
	if play.Take == 0 {
		raw = appendBytes(raw, 2, nil)
	} else {
		raw = appendNumber(raw, 3, uint64(play.Take))
	}
	return appendBytes(nil, 3, raw)
}

func (Declare) encode() []byte { return appendBytes(nil, 4, nil) }
